// Secrets and configs of a service -> the template's, with the files that they are of beside it in the spec.

import { type Drafting, listed, note, refuse } from "./draft.ts";
import { mapField, seenFrom } from "./paths.ts";
import { sourcesIn } from "./references.ts";
import { fieldsOf, mapFrom, textOf, type Value } from "./value.ts";

type Kind = "secrets" | "configs";

/** Takes what a service mounts, and the declarations of just those. */
export function takeFiles(kind: Kind) {
  return (value: Value, drafting: Drafting): void => {
    const { file, way } = drafting.context;
    drafting.template.set(kind, withoutOwners(kind, value, drafting));
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

const OWNERS = ["uid", "gid", "mode"];

/** Compose mounts a file with the owner and mode that it has, whatever is asked for. */
function withoutOwners(kind: Kind, value: Value, drafting: Drafting): Value {
  if (value.kind !== "list") return value;
  const lost = new Set<string>();
  const items = value.items.map((item): Value => {
    if (item.kind !== "map") return item;
    const entries = new Map(item.entries);
    for (const name of OWNERS) if (entries.delete(name)) lost.add(name);
    return { ...item, entries };
  });
  const words = `${listed([...lost])} left out; a file is seen with its own owner and mode, in Compose too`;
  if (lost.size > 0) note(drafting, kind, words, ["spec", "template", kind]);
  return { ...value, items };
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
