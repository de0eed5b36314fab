// The workers of the contract: templates that behave on a real engine, and the lives that stand for them on the
// simulated one. Each carries its kind as a label.

import type { Template } from "../../src/core/template.ts";
import type { Life } from "../../src/engine/simulated/script.ts";

type Kind = { readonly template: Partial<Template>; readonly life: Life };

const LABEL = "wgctl-test-kind";
const OBEDIENT = "trap 'exit 0' TERM; trap 'exit 4' USR1; echo $$; while :; do sleep 0.05; done";

const QUIETABLE =
  "trap 'exit 0' TERM; trap 'touch /tmp/idle' USR2; echo $$; while :; do sleep 0.05; done";
const TALKATIVE = "echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three; exit 3";

const check = (test: string, more = {}) => ({
  test: ["CMD-SHELL", test],
  ...{ interval: 0.2, timeout: 5, retries: 2, ...more },
});

export const KINDS = {
  steady: {
    template: {},
    life: { commands: { false: { code: 1 }, "/no/such/program": { code: 127 } } },
  },
  failing: { template: { command: ["sh", "-c", "exit 3"] }, life: { end: { after: 0, code: 3 } } },
  finishing: {
    template: { command: ["sh", "-c", "exit 0"] },
    life: { end: { after: 0, code: 0 } },
  },
  hungry: {
    template: { command: ["tail", "/dev/zero"], mem_limit: 8 * 1024 ** 2 },
    life: { end: { after: 0.2, outOfMemory: true } },
  },
  deaf: { template: { environment: { IGNORE_TERM: "1" } }, life: { stop: "ignore" } },
  slow: { template: { environment: { TERM_SECONDS: "1" } }, life: { stop: { after: 1 } } },
  crashable: { template: { command: ["sh", "-c", OBEDIENT] }, life: {} },
  quietable: {
    template: { command: ["sh", "-c", QUIETABLE] },
    life: { commands: { test: { code: 1, later: { since: "quiet", after: 0, code: 0 } } } },
  },
  talkative: {
    template: { command: ["sh", "-c", TALKATIVE] },
    life: { log: ["one", "two", "three"], end: { after: 0, code: 3 } },
  },
  senseless: {
    template: { command: ["/no/such/program"] },
    life: { refuse: { code: "engine-rejected", message: "/no/such/program: no such file" } },
  },
  healthy: { template: { healthcheck: check("true") }, life: {} },
  mendable: {
    template: { healthcheck: check("test -e /tmp/mended") },
    life: { healthy: "never" },
  },
  patient: {
    template: { healthcheck: check("false", { start_period: 60 }) },
    life: { healthy: "never" },
  },
  unchecked: { template: { healthcheck: { test: ["NONE"] } }, life: {} },
} as const satisfies Record<string, Kind>;

export type WorkerKind = keyof typeof KINDS;

/** The labels that tell the kind. */
export function kindLabels(kind: WorkerKind): Readonly<Record<string, string>> {
  return { [LABEL]: kind };
}

/** The lives of all kinds, for a simulated world. */
export function livesOfKinds(): readonly Life[] {
  return Object.entries(KINDS).map(([kind, { life }]) => ({
    ...life,
    match: { label: `${LABEL}=${kind}` },
  }));
}
