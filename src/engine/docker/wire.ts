// Small readers of JSON from outside. They turn `unknown` into plain values or say where the nonsense is.

import { nonsense } from "./failure.ts";

/** A value of a JSON document and the way that led to it. */
export type Wire = {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Wire | undefined;
};

/** The document itself; `name` stands for it in messages. */
export function root(value: unknown, name: string): Wire {
  return { value, key: name, parent: undefined };
}

/** How a value is reached, `container.State.Status`. Put together only for a message, since most are never told. */
export function pathOf({ key, parent }: Wire): string {
  if (parent === undefined) return String(key);
  return typeof key === "number" ? `${pathOf(parent)}[${key}]` : `${pathOf(parent)}.${key}`;
}

/** Parses JSON; what cannot be parsed is `engine-failed`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw nonsense("it is not JSON", error);
  }
}

/** Goes down by keys. Below an absent value everything is absent; below a text or a number it is nonsense. */
export function at(wire: Wire, ...keys: readonly string[]): Wire {
  return keys.reduce(step, wire);
}

function step(parent: Wire, key: string): Wire {
  return { value: isAbsent(parent) ? undefined : asRecord(parent)[key], key, parent };
}

/** True for what is missing or null: Go writes nil slices and maps as null. */
export function isAbsent(wire: Wire): boolean {
  return wire.value === undefined || wire.value === null;
}

export function readText(wire: Wire): string {
  if (typeof wire.value === "string") return wire.value;
  throw unexpected(wire, "a text");
}

export function readNumber(wire: Wire): number {
  if (typeof wire.value === "number") return wire.value;
  throw unexpected(wire, "a number");
}

/** A boolean; absent is false, as Go leaves it out. */
export function readFlag(wire: Wire): boolean {
  if (isAbsent(wire)) return false;
  if (typeof wire.value === "boolean") return wire.value;
  throw unexpected(wire, "true or false");
}

/** The value as `read` sees it, or the fallback where it is absent. */
export function readOr<T, F>(wire: Wire, read: (present: Wire) => T, fallback: F): T | F {
  return isAbsent(wire) ? fallback : read(wire);
}

/** The elements of a list; absent is empty. */
export function readItems(wire: Wire): readonly Wire[] {
  if (isAbsent(wire)) return [];
  if (!Array.isArray(wire.value)) throw unexpected(wire, "a list");
  return wire.value.map((value: unknown, key) => ({ value, key, parent: wire }));
}

/** The keys of an object, sorted; absent is empty. */
export function readKeys(wire: Wire): readonly string[] {
  return isAbsent(wire) ? [] : Object.keys(asRecord(wire)).sort();
}

/** An object of texts; absent is empty. */
export function readTexts(wire: Wire): Readonly<Record<string, string>> {
  return Object.fromEntries(readKeys(wire).map((key) => [key, readText(at(wire, key))]));
}

function asRecord(wire: Wire): Readonly<Record<string, unknown>> {
  if (isRecord(wire.value)) return wire.value;
  throw unexpected(wire, "an object");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// The value itself may be someone's secret, so only its kind is told.
function unexpected(wire: Wire, wanted: string): Error {
  const found = Array.isArray(wire.value)
    ? "a list"
    : wire.value === null
      ? "null"
      : typeof wire.value;
  return nonsense(`${pathOf(wire)} is ${found}, expected ${wanted}`);
}
