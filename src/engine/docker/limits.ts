// Resource limits between the core's words and the engine's. Pure.

import type { ResourceLimits } from "../../core/observed.ts";
import { at, readNumber, readOr, type Wire } from "./wire.ts";

/** What the engine takes where a quota names no period, in microseconds. */
const DEFAULT_PERIOD = 100_000;
const BILLION = 1e9;

/** Decodes the live limits of `HostConfig`. 0, -1 and null are the engine's words for none. */
export function decodeLimits(host: Wire): ResourceLimits {
  const cpus = decodeCpus(host);
  const memory = amount(host, "Memory");
  const swap = decodeSwap(host, memory);
  const pids = amount(host, "PidsLimit");
  return {
    ...(cpus === undefined ? {} : { cpus }),
    ...(memory === undefined ? {} : { memory }),
    ...(swap === undefined ? {} : { swap }),
    ...(pids === undefined ? {} : { pids }),
  };
}

/** Where nothing was said the engine allows as much swap as memory, which is left out. */
function decodeSwap(host: Wire, memory: number | undefined): number | undefined {
  const swap = readOr(at(host, "MemorySwap"), readNumber, 0);
  const isUsual = swap === 0 || (memory !== undefined && swap === 2 * memory);
  return isUsual ? undefined : swap;
}

function decodeCpus(host: Wire): number | undefined {
  const nano = amount(host, "NanoCpus");
  if (nano !== undefined) return nano / BILLION;
  const quota = amount(host, "CpuQuota");
  return quota && quota / (amount(host, "CpuPeriod") ?? DEFAULT_PERIOD);
}

function amount(host: Wire, key: string): number | undefined {
  const value = readOr(at(host, key), readNumber, 0);
  return value > 0 ? value : undefined;
}

/**
 * Encodes limits for an update. Swap goes with memory, without a word as much as at a creation: the engine refuses more
 * memory than the two together may be.
 */
export function encodeLimits({ cpus, memory, swap, pids }: ResourceLimits) {
  return {
    NanoCpus: inBillionths(cpus),
    Memory: memory,
    MemorySwap: swap ?? (memory === undefined ? undefined : 2 * memory),
    PidsLimit: pids,
  };
}

/** Nanoseconds of seconds, nano-CPUs of CPUs. */
export function inBillionths(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : Math.round(amount * BILLION);
}
