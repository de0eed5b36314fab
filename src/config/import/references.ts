// What services name of their file has to be there, or Compose refuses the file.

import type { Problem } from "../../core/model.ts";
import { quote } from "../problems.ts";
import { hintFor } from "../suggest.ts";
import { type Fields, fieldsOf, namesIn, problemOf, textOf, type Value } from "./value.ts";

type Service = { readonly name: string; readonly fields: Fields };

/** A problem for each name that is not declared. Included files may declare anything. */
export function checkReferences(
  top: Fields,
  services: ReadonlyMap<string, Service>,
): readonly Problem[] {
  if (top.has("include")) return [];
  const declared = (kind: string) => [...fieldsOf(top.get(kind)).keys()];
  return [...services.values()].flatMap(({ name, fields }) => {
    const find = (field: string, used: readonly string[], known: readonly string[]) =>
      missing(name, field, fields.get(field), used, known);
    return [
      ...find("networks", namesIn(fields.get("networks")), ["default", ...declared("networks")]),
      ...find("secrets", sourcesIn(fields.get("secrets")), declared("secrets")),
      ...find("configs", sourcesIn(fields.get("configs")), declared("configs")),
      ...find("depends_on", neededBy(fields), [...services.keys()]),
    ];
  });
}

/** The services that have to be there for this one. */
function neededBy(fields: Fields): readonly string[] {
  const needs = fields.get("depends_on");
  const isOptional = (name: string) =>
    textOf(fieldsOf(fieldsOf(needs).get(name)).get("required")) === "false";
  return namesIn(needs).filter((name) => !isOptional(name));
}

function missing(
  service: string,
  field: string,
  value: Value | undefined,
  used: readonly string[],
  known: readonly string[],
): readonly Problem[] {
  if (value === undefined) return [];
  const where = field === "depends_on" ? "services" : field;
  return used
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `${service} names ${quote(name)}, which is not among the ${where} of this file`;
      const finding = { message, hint: hintFor(name, known) };
      return problemOf(value.origin, ["services", service, field], finding);
    });
}

/** The names of secrets or configs, of either form. */
export function sourcesIn(value: Value | undefined): readonly string[] {
  if (value?.kind !== "list") return [];
  return value.items.flatMap((item) => textOf(item) ?? textOf(fieldsOf(item).get("source")) ?? []);
}
