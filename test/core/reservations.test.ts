// Amounts that are reserved: read from labels, added, and said.

import { describe, expect, it } from "vitest";
import {
  amountWords,
  isNothing,
  labelledReservation,
  minus,
  reservationOf,
} from "../../src/core/reservations.ts";
import { templateLabel } from "../../src/core/revision.ts";

const MIB = 1024 ** 2;

describe("what a worker reserves", () => {
  it("stands in its template, and in the label made of it", () => {
    const template = { image: "a", cpu_reservation: 0.5, mem_reservation: 64 * MIB };
    const expected = { cpus: 0.5, memory: 64 * MIB };
    expect(reservationOf(template)).toEqual(expected);
    expect(labelledReservation(templateLabel(template))).toEqual(expected);
  });

  it.each([
    "",
    "no json: cpu_reservation",
    "null",
    '["cpu_reservation"]',
    '{"cpu_reservation":"2"}',
    '{"command":["cpu_reservation"]}',
    '{"image":"a","cpus":2}',
  ])("is nothing by the label %s", (label) => {
    expect(isNothing(labelledReservation(label))).toBe(true);
  });
});

describe("amounts", () => {
  it("of fractions that come to a whole leave nothing over", () => {
    const sum = { cpus: 0.1 + 0.2, memory: 0 };
    expect(isNothing(minus(sum, { cpus: 0.3, memory: 0 }))).toBe(true);
  });

  it.each([
    [1, 0, "1 CPU"],
    [0.5, 0, "0.5 CPUs"],
    [1.999999, 0, "2 CPUs"],
    [0, 300 * MIB, "300 MiB of memory"],
    [0, 1536 * MIB, "1.5 GiB of memory"],
    [2, 1, "2 CPUs and 1 MiB of memory"],
    [0, 0, ""],
  ])("%d CPUs and %d bytes are said as '%s'", (cpus, memory, words) => {
    expect(amountWords({ cpus, memory })).toBe(words);
  });
});
