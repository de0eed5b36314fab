// `wgctl schema`: the JSON Schema of manifests, for editors.

import { EXIT } from "../../app/verdict.ts";
import { jsonSchemaText } from "../../config/json-schema.ts";
import { openStreams } from "../streams.ts";

export function schemaCommand(): number {
  openStreams().out(jsonSchemaText());
  return EXIT.done;
}
