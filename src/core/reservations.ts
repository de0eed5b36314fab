// Amounts of CPUs and memory that workers reserve: reading, adding, comparing and saying them. Decides nothing.

import type { Capacity } from "./observed.ts";
import { parseTemplate } from "./revision.ts";
import type { Template } from "./template.ts";

/** CPUs and bytes that are set aside for a worker. */
export type Reservation = Capacity;

export const NOTHING: Reservation = { cpus: 0, memory: 0 };

/** Sums of fractions are not exact: so much of a CPU is none. */
const HAIR = 1e-6;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** What a worker of a template reserves. */
export function reservationOf(template: Template): Reservation {
  return { cpus: template.cpu_reservation ?? 0, memory: template.mem_reservation ?? 0 };
}

/** What an existing worker reserves, by its `template` label. */
export function labelledReservation(label: string): Reservation {
  // Most workers reserve nothing, and a label can be long.
  if (!label.includes("_reservation")) return NOTHING;
  const template = parseTemplate(label);
  if (typeof template !== "object" || template === null || Array.isArray(template)) return NOTHING;
  const amount = (key: string) => {
    const value = Object.entries(template).find(([name]) => name === key)?.[1];
    return typeof value === "number" ? value : 0;
  };
  return { cpus: amount("cpu_reservation"), memory: amount("mem_reservation") };
}

export function isNothing({ cpus, memory }: Reservation): boolean {
  return cpus < HAIR && memory <= 0;
}

export function plus(one: Reservation, other: Reservation): Reservation {
  return { cpus: one.cpus + other.cpus, memory: one.memory + other.memory };
}

/** What is left of the first, never less than nothing. */
export function minus(one: Reservation, other: Reservation): Reservation {
  return {
    cpus: Math.max(0, one.cpus - other.cpus),
    memory: Math.max(0, one.memory - other.memory),
  };
}

export function larger(one: Reservation, other: Reservation): Reservation {
  return {
    cpus: Math.max(one.cpus, other.cpus),
    memory: Math.max(one.memory, other.memory),
  };
}

export function smaller(one: Reservation, other: Reservation): Reservation {
  return {
    cpus: Math.min(one.cpus, other.cpus),
    memory: Math.min(one.memory, other.memory),
  };
}

/** `2 CPUs and 1.5 GiB of memory`: what there is of it. */
export function amountWords({ cpus, memory }: Reservation): string {
  const parts = [
    ...(cpus < HAIR ? [] : [cpuWords(Number(cpus.toFixed(2)))]),
    ...(memory <= 0 ? [] : [`${memoryWords(memory)} of memory`]),
  ];
  return parts.join(" and ");
}

function cpuWords(cpus: number): string {
  return cpus === 1 ? "1 CPU" : `${cpus} CPUs`;
}

function memoryWords(bytes: number): string {
  return bytes < GIB ? `${Math.ceil(bytes / MIB)} MiB` : `${Number((bytes / GIB).toFixed(1))} GiB`;
}
