// The health part of an inspect answer: the verdict, the log behind it, and how many failures make it unhealthy.

import type { HealthFacts, HealthProbe } from "../../core/observed.ts";
import { nonsense } from "./failure.ts";
import { readTime } from "./time.ts";
import { at, pathOf, readItems, readNumber, readOr, readText, type Wire } from "./wire.ts";

// The engine's default, which an inspect answer shows as 0 or not at all.
const DEFAULT_RETRIES = 3;

/** Decodes the health of a container; empty where nothing checks it. */
export function decodeHealth(container: Wire): { readonly health?: HealthFacts } {
  const health = at(container, "State", "Health");
  const status = readStatus(at(health, "Status"));
  if (status === undefined) return {};
  const retries = readOr(at(container, "Config", "Healthcheck", "Retries"), readNumber, 0);
  const log = readItems(at(health, "Log")).map(decodeProbe);
  return { health: { status, retries: retries > 0 ? retries : DEFAULT_RETRIES, log } };
}

function readStatus(wire: Wire): HealthFacts["status"] | undefined {
  const status = readOr(wire, readText, "");
  switch (status) {
    case "":
    case "none":
      return undefined;
    case "starting":
    case "healthy":
    case "unhealthy":
      return status;
    default:
      throw nonsense(`${pathOf(wire)} is "${status}", which is no health wgctl knows`);
  }
}

function decodeProbe(probe: Wire): HealthProbe {
  return {
    startedAt: readTime(at(probe, "Start")),
    finishedAt: readTime(at(probe, "End")),
    ok: readNumber(at(probe, "ExitCode")) === 0,
  };
}
