// Numbers, sizes and durations as Compose writes them. Decimal only: `0644` and `1e3` are not silently something else.

import type { Amount } from "../../core/model.ts";
import { bad, good, type Reading } from "./reading.ts";

/** A whole number within bounds, both included. */
export function readInteger(text: string, low: number, high: number): Reading<number> {
  const example = `write a number from ${low} to ${high}`;
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return bad("is not a whole number", example);
  const value = Number(text);
  return value >= low && value <= high ? good(value) : bad("is out of range", example);
}

export function readBoolean(text: string): Reading<boolean> {
  if (text === "true" || text === "false") return good(text === "true");
  const leftover = /^(y|yes|on|true)$/i.test(text)
    ? "true"
    : /^(n|no|off|false)$/i.test(text)
      ? "false"
      : "";
  return bad("is neither true nor false", leftover === "" ? undefined : `write ${leftover}`);
}

/** CPUs, a fraction allowed. */
export function readCpus(text: string): Reading<number> {
  const hint = "write a number of CPUs such as 0.5 or 2";
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text)) return bad("is not a number of CPUs", hint);
  const value = Number(text);
  if (value < 0.01) return bad("is less than the engine can give", "write at least 0.01");
  return good(value);
}

/** Processes and threads at most; -1: no limit. */
export function readPids(text: string): Reading<number> {
  if (text === "-1") return good(-1);
  const count = readInteger(text, 1, 4_194_304);
  return count.ok ? count : { ...count, hint: "write a number from 1, or -1 for no limit" };
}

const scales: Readonly<Record<string, number>> = { "": 0, k: 1, m: 2, g: 3, t: 4, p: 5 };

/** Bytes; units are powers of 1024, in any case, with or without `b` or `ib`: `256M`, `1g`, `512kb`, `1024`. */
export function readBytes(text: string): Reading<number> {
  const match = /^(\d+(?:\.\d+)?) ?([kmgtp])?(i?b)?$/i.exec(text);
  if (match === null || (match[2] === undefined && match[3]?.length === 2))
    return bad("is not a size", "write a number and a unit, such as 256M or 1g");
  const value = Math.trunc(Number(match[1]) * 1024 ** (scales[match[2]?.toLowerCase() ?? ""] ?? 0));
  return Number.isSafeInteger(value) ? good(value) : bad("is too large a size");
}

/** The engine's least memory limit. */
const leastMemory = 6 * 1024 ** 2;

export function readMemory(text: string): Reading<number> {
  const size = readBytes(text);
  if (!size.ok || size.value >= leastMemory) return size;
  return bad("is less memory than the engine accepts as a limit", "write at least 6M");
}

/** Memory and swap together; -1: no limit of swap. */
export function readMemorySwap(text: string): Reading<number> {
  if (text === "-1") return good(-1);
  const size = readMemory(text);
  return size.ok ? size : { ...size, hint: "write memory and swap together, or -1 for no limit" };
}

/** The size of a file system in memory. */
export function readSize(text: string): Reading<number> {
  const size = readBytes(text);
  if (!size.ok || size.value > 0) return size;
  return bad("is no size to work in", "write one such as 64M, or leave it out");
}

const unitSeconds: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/** Seconds, from `90s`, `1m30s`, `1.5s`, `500ms`. */
export function readDuration(text: string): Reading<number> {
  const hint = /^\d+$/.test(text)
    ? `add a unit: ${text}s`
    : "write a number and a unit, such as 90s or 1m30s";
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h|d|w))+$/.test(text))
    return text === "0" ? good(0) : bad("is not a duration", hint);
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(/([\d.]+)([a-zµ]+)/g))
    seconds += Number(number) * (unitSeconds[unit ?? ""] ?? 0);
  return good(Math.round(seconds * 1e9) / 1e9);
}

/** A duration that the engine does not take for "use the default". */
export function readInterval(text: string): Reading<number> {
  const duration = readDuration(text);
  if (!duration.ok || duration.value >= 0.001) return duration;
  return bad("is too short", "write at least 1ms, or leave it out for the engine's default");
}

/** Whole seconds, rounded up: the engine keeps no fractions of a grace period. */
export function readGrace(text: string): Reading<number> {
  const duration = readDuration(text);
  return duration.ok ? good(Math.ceil(duration.value)) : duration;
}

/** A count, or a share of `replicas`. */
export function readAmount(text: string): Reading<Amount> {
  const match = /^(0|[1-9]\d{0,4})(%?)$/.exec(text);
  if (match === null)
    return bad("is neither a count nor a percentage", "write a number such as 1, or 25%");
  const value = Number(match[1]);
  if (match[2] === "%")
    return value <= 100 ? good({ kind: "percent", percent: value }) : bad("is more than 100%");
  return value <= 10_000 ? good({ kind: "count", count: value }) : bad("is more than 10000");
}
