// Finds the sensitive places of a template: texts that variables were filled into.

import type { SensitivePlaces } from "../core/seal.ts";
import type { Template } from "../core/template.ts";
import { find, type Node, texts } from "./tree.ts";

/** Places in a normalised template; `fromOutside` are variables whose values came from files or the shell. */
export function findSensitive(
  root: Node,
  template: Template,
  fromOutside: ReadonlySet<string>,
): SensitivePlaces {
  const field = (...path: string[]) => find(root, ["spec", "template", ...path])?.node;
  const isShell = template.healthcheck?.test?.[0] === "CMD-SHELL";
  return {
    environment: new Set([...sensitiveNames(field("environment")), ...fromOutside]),
    labels: sensitiveNames(field("labels")),
    command: sensitiveWords(field("command"), template.command),
    entrypoint: sensitiveWords(field("entrypoint"), template.entrypoint),
    // A test that is one text has become the second word.
    healthcheck: sensitiveWords(field("healthcheck", "test"), isShell ? ["", ""] : [], 1),
  };
}

/** The values that variables gave to texts in these places, whole or as a part of one. */
export function valuesFilledIn(root: Node): readonly string[] {
  const fields = ["environment", "labels", "command", "entrypoint", "healthcheck"];
  return fields.flatMap((field) => {
    const node = find(root, ["spec", "template", field])?.node;
    return node === undefined ? [] : [...texts(node)].flatMap((text) => text.node.sensitive ?? []);
  });
}

function sensitiveNames(node: Node | undefined): ReadonlySet<string> {
  if (node?.kind === "map")
    return new Set(
      [...node.entries].flatMap(([name, { value }]) => (isSensitive(value) ? [name] : [])),
    );
  const items = node?.kind === "list" ? node.items : [];
  return new Set(
    items.flatMap((item) =>
      item.kind === "text" && isSensitive(item) ? [item.text.split("=", 1).join()] : [],
    ),
  );
}

/** Indexes of words; all of them (from `first` on) where one text was cut into words. */
function sensitiveWords(
  node: Node | undefined,
  words: readonly string[] | undefined,
  first = 0,
): ReadonlySet<number> {
  if (node?.kind === "list")
    return new Set([...node.items.keys()].filter((index) => isSensitive(node.items[index])));
  const all = [...(words ?? []).keys()];
  return new Set(isSensitive(node) ? all.slice(first) : []);
}

function isSensitive(node: Node | undefined): boolean {
  return node?.kind === "text" && node.sensitive !== undefined;
}
