// Prints a document in the format that was asked for. Only what was asked for goes to standard output.

import type { Json } from "../core/canonical.ts";
import type { OutputFormat } from "./options.ts";
import type { Write } from "./streams.ts";

/** `text` renders for people, `wide` or not; `data` is what machines get. */
export type Document = {
  readonly text: (wide: boolean) => string;
  readonly data: () => Json;
};

export async function print(document: Document, format: OutputFormat, write: Write): Promise<void> {
  switch (format) {
    case "text":
    case "wide":
      write(document.text(format === "wide"));
      return;
    case "json":
      write(`${JSON.stringify(document.data(), null, 2)}\n`);
      return;
    case "yaml": {
      const { writeYaml } = await import("../config/write-yaml.ts");
      write(writeYaml(document.data()));
    }
  }
}
