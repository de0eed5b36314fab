// Since when a worker is ready: a break is a change of the verdict, not a failed probe.

import { expect, test } from "vitest";
import type { HealthProbe, RunFacts } from "../../src/core/observed.ts";
import { readySince } from "../../src/core/ready.ts";
import { ago, exited, running, worker } from "../support/scene.ts";

/** One probe a second, the last of them a second ago; `+` passed, `-` failed. */
function healthy(probes: string, retries = 2): RunFacts {
  const log = [...probes].map((sign, index): HealthProbe => {
    const finishedAt = ago(probes.length - index);
    return { startedAt: finishedAt, finishedAt, ok: sign === "+" };
  });
  return { kind: "running", startedAt: ago(100), health: { status: "healthy", retries, log } };
}

function probe(seconds: number, ok: boolean): HealthProbe {
  return { startedAt: ago(seconds), finishedAt: ago(seconds), ok };
}

/** Healthy, and started so many seconds ago. */
function withHealth(seconds: number, log: readonly HealthProbe[]): RunFacts {
  return {
    kind: "running",
    startedAt: ago(seconds),
    health: { status: "healthy", retries: 2, log },
  };
}

test.each<[string, RunFacts, number | undefined, number | undefined]>([
  ["without a health check: since its start", running(50), undefined, ago(50)],
  ["while it starts: not at all", running(50, "starting"), ago(60), undefined],
  ["while it is unhealthy: not at all", running(50, "unhealthy"), ago(60), undefined],
  ["after it ended: not at all", exited(1), ago(60), undefined],
  [
    "while it restarts: not at all",
    { kind: "restarting", startedAt: 1, exitCode: 1 },
    1,
    undefined,
  ],
  ["with a short log: since its first probe", healthy("+++"), undefined, ago(3)],
  ["with a full log and no break in it: since its start", healthy("+++++"), undefined, ago(100)],
  ["a failed probe is no break", healthy("++-++"), undefined, ago(100)],
  ["as many failures as make it unhealthy are one", healthy("+--++"), undefined, ago(2)],
  ["the latest break counts", healthy("--+--+", 2), undefined, ago(1)],
  ["failures that have not ended are none yet", healthy("+++--", 3), undefined, ago(100)],
  ["no log at all: since its start", healthy(""), undefined, ago(100)],
  [
    "what the log says of the process before does not count",
    withHealth(2, [
      probe(10, true),
      probe(9, false),
      probe(8, false),
      probe(7, true),
      probe(1, true),
    ]),
    undefined,
    ago(1),
  ],
  ["what was remembered of the same process is believed", healthy("+--++"), ago(70), ago(70)],
])("%s", (_, run, remembered, since) => {
  expect(readySince(worker(1, { run }), remembered)).toBe(since);
});
