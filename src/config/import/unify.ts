// Several values that differ only by the number of their service -> one value with the slot in its place; or where
// they differ otherwise.

import { splitVariables } from "../interpolation.ts";
import { quote } from "../problems.ts";
import type { Path } from "../tree.ts";
import { formatPath } from "../tree.ts";
import { isVariable } from "./texts.ts";
import type { ListValue, MapValue, TextValue, Value } from "./value.ts";

/** What keeps copies apart: where, and why in words. */
export type Difference = {
  readonly kind: "difference";
  readonly path: Path;
  readonly words: string;
};

export type Unified = Value | Difference;

const SLOT = "{{.Task.Slot}}";

/**
 * One value for all; `numbers` are those of their services, in steps of one. A number that is a service's own becomes
 * the slot where they count from 1, host ports that count along become a range.
 */
export function unify(values: readonly Value[], numbers: readonly number[], path: Path): Unified {
  const [first] = values;
  if (first === undefined) throw new Error("nothing to unify");
  if (values.every(isText)) return unifyTexts(values.filter(isText), numbers, path);
  if (values.every(isList)) return unifyLists(values.filter(isList), first, numbers, path);
  if (values.every(isMap)) return unifyMaps(values.filter(isMap), first, numbers, path);
  return values.every(({ kind }) => kind === "empty") ? first : differ(path, "has different forms");
}

function isText(value: Value): value is TextValue {
  return value.kind === "text";
}

function isList(value: Value): value is ListValue {
  return value.kind === "list";
}

function isMap(value: Value): value is MapValue {
  return value.kind === "map";
}

function differ(path: Path, words: string): Difference {
  return { kind: "difference", path, words };
}

function unifyLists(
  lists: readonly ListValue[],
  first: Value,
  numbers: readonly number[],
  path: Path,
): Unified {
  const length = lists[0]?.items.length ?? 0;
  if (lists.some(({ items }) => items.length !== length))
    return differ(path, "has more items in one than in another");
  const items: Value[] = [];
  for (let index = 0; index < length; index += 1) {
    const column = lists.flatMap(({ items: each }) => each[index] ?? []);
    const unified = unify(column, numbers, [...path, index]);
    if (unified.kind === "difference") return unified;
    items.push(unified);
  }
  return first.kind === "list" ? { ...first, items } : first;
}

function unifyMaps(
  maps: readonly MapValue[],
  first: Value,
  numbers: readonly number[],
  path: Path,
): Unified {
  const names = [...(maps[0]?.entries.keys() ?? [])];
  const stray = maps.flatMap(({ entries }) => [
    ...[...entries.keys()].filter((name) => !names.includes(name)),
    ...names.filter((name) => !entries.has(name)),
  ])[0];
  if (stray !== undefined) return differ([...path, stray], "is not in all of them");
  const entries = new Map<string, Value>();
  for (const name of names) {
    const column = maps.flatMap((map) => map.entries.get(name) ?? []);
    const unified = unify(column, numbers, [...path, name]);
    if (unified.kind === "difference") return unified;
    entries.set(name, unified);
  }
  return first.kind === "map" ? { ...first, entries } : first;
}

function unifyTexts(texts: readonly TextValue[], numbers: readonly number[], path: Path): Unified {
  const [first] = texts;
  if (first === undefined || texts.every(({ text }) => text === first.text))
    return first ?? differ(path, "");
  const rows = texts.map(({ text }) => tokens(text));
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width)) return differ(path, describe(texts));
  let unified = "";
  for (let at = 0; at < width; at += 1) {
    const column = rows.map((row) => row[at] ?? "");
    const rest = (rows[0] ?? []).slice(at + 1).join("");
    const token = unifyTokens(column, numbers, { path, before: unified, rest });
    if (token === undefined) return differ(path, describeColumn(texts, column));
    unified += token;
  }
  return { ...first, text: unified };
}

/** Variables, runs of digits, and what stands between. */
function tokens(text: string): readonly string[] {
  return splitVariables(text).flatMap((piece) =>
    isVariable(piece) ? [piece] : piece.split(/(\d+)/).filter((part) => part !== ""),
  );
}

type Place = { readonly path: Path; readonly before: string; readonly rest: string };

function unifyTokens(
  column: readonly string[],
  numbers: readonly number[],
  place: Place,
): string | undefined {
  const [first = ""] = column;
  if (column.every((token) => token === first)) return first;
  if (!column.every((token) => /^(0|[1-9]\d*)$/.test(token))) return undefined;
  if (isHostPort(place))
    return countsUp(column.map(Number)) ? `${first}-${column.at(-1)}` : undefined;
  const isSlot =
    numbers[0] === 1 && column.every((token, index) => token === String(numbers[index]));
  return isSlot && isFilledIn(place) ? SLOT : undefined;
}

function countsUp(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
}

function isHostPort({ path, rest }: Place): boolean {
  const [field, , name] = path;
  if (field !== "ports") return false;
  return name === "published" || (name === undefined && /^:\d+(\/\w+)?$/.test(rest));
}

/** Whether placeholders are filled in there. */
function isFilledIn({ path: [field, ...inner], before, rest }: Place): boolean {
  switch (field) {
    case "command":
    case "entrypoint":
    case "hostname":
      return true;
    case "environment":
    case "labels":
      return typeof inner[0] === "string" || before.includes("=");
    case "volumes":
    case "devices":
      return inner[1] === "source" || (inner.length === 1 && isSource(before, rest));
    case "deploy":
    case "gpus":
      return inner.includes("device_ids");
    default:
      return false;
  }
}

/** In a mount of the short form, which may be no more than a target. */
function isSource(before: string, rest: string): boolean {
  return !before.includes(":") && rest.includes(":");
}

function describe(texts: readonly TextValue[]): string {
  const [first = "", second = ""] = [...new Set(texts.map(({ text }) => text))].map((text) =>
    text.replace(/^\w+=/, ""),
  );
  return `is ${quote(first)} in one and ${quote(second)} in another`;
}

function describeColumn(texts: readonly TextValue[], column: readonly string[]): string {
  const isNumber = column.every((token) => /^\d+$/.test(token));
  return isNumber ? `${describe(texts)}, and that number is not the slot` : describe(texts);
}

/** A path of a difference as people know it: an item of a list of `NAME=value` by its name. */
export function describePath(path: Path, values: readonly Value[]): string {
  const [field, index] = path;
  const list = values[0]?.kind === "map" ? values[0].entries.get(String(field)) : undefined;
  const item = list?.kind === "list" && typeof index === "number" ? list.items[index] : undefined;
  const name =
    item?.kind === "text" && field !== "ports" ? /^[^=]+(?==)/.exec(item.text)?.[0] : undefined;
  return name === undefined ? formatPath(path) : `${field} ${name}`;
}
