// Secrets and configs of a service -> the template's, with the files that they are of beside it in the spec.

import { sourcesIn } from "./compose-file.ts";
import { type Drafting, refuse } from "./draft.ts";
import { mapField, seenFrom } from "./paths.ts";
import { fieldsOf, mapFrom, textOf, type Value } from "./value.ts";

type Kind = "secrets" | "configs";

/** Takes what a service mounts, and the declarations of just those. */
export function takeFiles(kind: Kind) {
  return (value: Value, drafting: Drafting): void => {
    const { file, way } = drafting.context;
    drafting.template.set(kind, value);
    const declared = fieldsOf(file.fields.get(kind));
    const used = sourcesIn(value).flatMap((name) => {
      const one = declared.get(name);
      if (one === undefined) return [];
      if (isOutside(one)) refuseOutside(kind, name, one, drafting);
      return [[name, withoutName(mapField(one, "file", (path) => seenFrom(way, path)))] as const];
    });
    drafting.rest.set(kind, mapFrom(value.origin, used));
  };
}

function isOutside(value: Value): boolean {
  const external = fieldsOf(value).get("external");
  return external !== undefined && textOf(external) !== "false";
}

function refuseOutside(kind: Kind, name: string, { origin }: Value, drafting: Drafting): void {
  const what = kind === "secrets" ? "secret" : "config";
  const hint = "keep it in a file, and name that in `file`";
  refuse(drafting, kind, origin, `the ${what} ${name} is kept outside of the file`, hint);
}

/** Its name on a Swarm means nothing to one engine. */
function withoutName(value: Value): Value {
  if (value.kind !== "map") return value;
  const entries = new Map(value.entries);
  entries.delete("name");
  entries.delete("external");
  return { ...value, entries };
}
