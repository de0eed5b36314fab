// Times as the engine writes them, to milliseconds since 1970 by its own clock.

import { nonsense } from "./failure.ts";
import { pathOf, readText, type Wire } from "./wire.ts";

/** RFC 3339 to milliseconds. The engine's zero time means never, which nothing that asks for a time can mean. */
export function readTime(wire: Wire): number {
  const text = readText(wire);
  const time = Date.parse(text);
  if (Number.isNaN(time) || time <= 0)
    throw nonsense(`${pathOf(wire)} is "${text}", expected a time`);
  return time;
}

/** The engine's clock from the `Date` header of an answer, exact to the second. */
export function readDate(header: string | undefined): number {
  const time = Date.parse(header ?? "");
  if (Number.isNaN(time)) throw nonsense(`its date is "${header ?? ""}"`);
  return time;
}
