// What an engine's words say is missing. It has one status code for all of these, so only its words tell them apart; they
// name a condition for people, and nothing is decided by them.

import type { ConditionReason } from "./status-types.ts";

const WORDS = [
  ["PortConflict", /port is already allocated|address already in use/i],
  ["NetworkMissing", /\bnetwork \S+ not found|unable to find network/i],
  [
    "InsufficientCapacity",
    /no (space|memory|cpu|room) left|cannot allocate memory|out of memory|resource temporarily unavailable|too many open files|no available IPv4 address|non-overlapping IPv4 address pool|exchange full/i,
  ],
] as const satisfies readonly (readonly [ConditionReason, RegExp])[];

/** What the host lacks, by the engine's words; undefined: they do not say. */
export function lackInWords(message: string): (typeof WORDS)[number][0] | undefined {
  return WORDS.find(([, words]) => words.test(message))?.[0];
}
