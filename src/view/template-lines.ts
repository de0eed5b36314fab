// Writes a template as YAML-like lines for a person to compare; nothing parses them again.

import type { Json } from "../core/canonical.ts";
import { formatBytes } from "./text.ts";

const PLAIN = /^[A-Za-z0-9_./@%+=,{}-][A-Za-z0-9_./:@%+=,{} -]*$/;
const LOOKS_LIKE_ANOTHER_TYPE = /^(true|false|null|yes|no|on|off|~|[-+]?[\d.][\d.:_eE+-]*)$/i;

/** Numbers whose unit a template leaves out, as people write them. */
const WITH_UNIT: Readonly<Record<string, (value: number) => string>> = {
  stop_grace_period: formatSeconds,
  interval: formatSeconds,
  timeout: formatSeconds,
  start_period: formatSeconds,
  mem_limit: formatBytes,
  mem_reservation: formatBytes,
  memswap_limit: (value) => (value < 0 ? String(value) : formatBytes(value)),
  shm_size: formatBytes,
};

const PROFILE = "seccomp=";

/** Lines of a value, keys sorted, two blanks of indent per level. */
export function templateLines(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(listItem);
  if (!isRecord(value)) return [scalar(value)];
  return Object.keys(value)
    .sort()
    .flatMap((key) => member(key, value[key]));
}

function member(key: string, value: Json): readonly string[] {
  if (value === undefined) return [];
  if (isEmpty(value)) return [`${scalar(key)}: ${isList(value) ? "[]" : "{}"}`];
  if (typeof value === "number") return [`${scalar(key)}: ${WITH_UNIT[key]?.(value) ?? value}`];
  if (typeof value !== "object" || value === null) return [`${scalar(key)}: ${scalar(value)}`];
  return [`${scalar(key)}:`, ...templateLines(value).map(indent)];
}

function listItem(value: Json): readonly string[] {
  const profile = profileIn(value);
  if (profile !== undefined) {
    return [`- ${PROFILE}`, ...templateLines(profile).map((line) => `    ${line}`)];
  }
  if (isEmpty(value)) return [isList(value) ? "- []" : "- {}"];
  const [first = "", ...rest] = templateLines(value);
  return [`- ${first}`, ...rest.map(indent)];
}

/** A profile is one text of thousands of characters, of which a change touches a few. */
function profileIn(value: Json): Json {
  if (typeof value !== "string" || !value.startsWith(`${PROFILE}{`)) return undefined;
  try {
    return JSON.parse(value.slice(PROFILE.length));
  } catch {
    return undefined;
  }
}

function indent(line: string): string {
  return `  ${line}`;
}

/** Quoted wherever plain text could be taken for something else, or would break the line. */
function scalar(value: string | number | boolean | null | undefined): string {
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  const isPlain = PLAIN.test(value) && !value.endsWith(" ") && !value.includes(": ");
  return isPlain && !LOOKS_LIKE_ANOTHER_TYPE.test(value) ? value : JSON.stringify(value);
}

function formatSeconds(value: number): string {
  return `${value}s`;
}

function isEmpty(value: Json): boolean {
  if (isList(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !isList(value);
}
