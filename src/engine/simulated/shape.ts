// Checks the shape of parsed JSON, and says where it is wrong. Knows nothing of worlds.

import { WgctlError } from "../../core/errors.ts";

/** Throws `invalid-input` where a value is not of a shape; `path` says where it stands. */
export type Shape = (value: unknown, path: string) => void;

function wrong(path: string, value: unknown, expected: string): WgctlError {
  const shown = JSON.stringify(value)?.slice(0, 60) ?? "missing";
  return new WgctlError("invalid-input", `${path} is ${shown}, expected ${expected}`);
}

function plain(expected: string, holds: (value: unknown) => boolean): Shape {
  return (value, path) => {
    if (!holds(value)) throw wrong(path, value, expected);
  };
}

export const text = plain("a text", (value) => typeof value === "string");
export const flag = plain("true or false", (value) => typeof value === "boolean");
export const number = plain("a number from 0", (value) => typeof value === "number" && value >= 0);
export const anything: Shape = () => undefined;

export function oneOf(...values: readonly unknown[]): Shape {
  return plain(`one of ${values.join(", ")}`, (value) => values.includes(value));
}

/** Of the first shape where the value is a text, of the second otherwise. */
export function textOr(texts: Shape, others: Shape): Shape {
  return (value, path) => (typeof value === "string" ? texts : others)(value, path);
}

export function list(items: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, value, "a list");
    value.forEach((item, index) => {
      items(item, `${path}[${index}]`);
    });
  };
}

export function record(values: Shape): Shape {
  return (value, path) => {
    for (const [key, member] of membersOf(value, path)) values(member, `${path}.${key}`);
  };
}

/** An object with exactly these members, of which some may be missing. */
export function object(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  return (value, path) => {
    const members = new Map(membersOf(value, path));
    for (const [key, shape] of Object.entries(required)) shape(members.get(key), `${path}.${key}`);
    for (const [key, member] of members) {
      if (key in required) continue;
      const shape = optional[key];
      if (shape === undefined) throw unknownMember(`${path}.${key}`, { ...required, ...optional });
      shape(member, `${path}.${key}`);
    }
  };
}

/** An object whose `kind` says which members it has besides. */
export function union(kinds: Readonly<Record<string, Shape>>): Shape {
  return (value, path) => {
    const kind = new Map(membersOf(value, path)).get("kind");
    const shape = typeof kind === "string" ? kinds[kind] : undefined;
    if (shape === undefined)
      throw wrong(`${path}.kind`, kind, `one of ${Object.keys(kinds).join(", ")}`);
    shape(value, path);
  };
}

function unknownMember(path: string, known: Readonly<Record<string, Shape>>): WgctlError {
  return new WgctlError("invalid-input", `${path} is unknown`, {
    hint: `known are ${Object.keys(known).join(", ")}`,
  });
}

function membersOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  throw wrong(path, value, "an object");
}
