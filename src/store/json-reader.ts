// Small readers for JSON from a file: each takes one value out or throws `state-unusable` naming where it stood.

import { WgctlError } from "../core/errors.ts";
import { fromIso } from "../core/time.ts";

/** A value of a JSON document and its path, `groups[0].name`. */
export type JsonNode = { readonly value: unknown; readonly path: string };

/** Gives access to the members of an object; a missing one is a node whose value is undefined. */
export function members(node: JsonNode): (key: string) => JsonNode {
  const { value, path } = node;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw unreadable(node, "an object");
  }
  const entries = new Map<string, unknown>(Object.entries(value));
  return (key) => ({ value: entries.get(key), path: path === "" ? key : `${path}.${key}` });
}

/** Reads every item of a list. */
export function list<T>(node: JsonNode, read: (item: JsonNode) => T): readonly T[] {
  if (!Array.isArray(node.value)) throw unreadable(node, "a list");
  return node.value.map((value: unknown, index) => read({ value, path: `${node.path}[${index}]` }));
}

/** A text, possibly empty. */
export function text(node: JsonNode): string {
  if (typeof node.value !== "string") throw unreadable(node, "a text");
  return node.value;
}

/** True or false, and nothing that only looks like it. */
export function flag(node: JsonNode): boolean {
  if (typeof node.value !== "boolean") throw unreadable(node, "true or false");
  return node.value;
}

/** A whole number from 0 up. */
export function count(node: JsonNode): number {
  const { value } = node;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw unreadable(node, "a whole number");
  }
  return value;
}

/** Any whole number: exit codes of some systems are negative. */
export function integer(node: JsonNode): number {
  const { value } = node;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    throw unreadable(node, "a whole number");
  }
  return value;
}

/** An ISO 8601 time, kept as text. */
export function time(node: JsonNode): string {
  const found = text(node);
  if (fromIso(found) === undefined) throw unreadable(node, "a time");
  return found;
}

/** One of a closed set of words. */
export function word<T extends string>(node: JsonNode, words: Readonly<Record<T, true>>): T {
  const found = text(node);
  if (!isWord(found, words)) throw unreadable(node, "a known word");
  return found;
}

function isWord<T extends string>(found: string, words: Readonly<Record<T, true>>): found is T {
  return Object.hasOwn(words, found);
}

/** Null as it is, anything else as `read` takes it; a missing member is not null. */
export function orNull<T>(node: JsonNode, read: (node: JsonNode) => T): T | null {
  return node.value === null ? null : read(node);
}

function unreadable({ path, value }: JsonNode, expected: string): WgctlError {
  const place = path === "" ? "the document" : path;
  const found = value === undefined ? "is missing" : `is not ${expected}`;
  return new WgctlError("state-unusable", `${place} ${found}`);
}
