// Random stories about one group: what is declared, how workers live, what goes wrong, and when somebody runs `apply`.
// Plain data, so that a story that ends badly can be made smaller and told again.

import * as fc from "fast-check";
import type { Fault, FaultEffect, Life } from "../../src/engine/simulated/script.ts";

const amount = fc.oneof(
  fc.nat({ max: 2 }).map((count) => ({ kind: "count", count }) as const),
  fc.constantFrom(0, 25, 50, 100).map((percent) => ({ kind: "percent", percent }) as const),
);

const manifest = {
  replicas: fc.constantFrom(0, 1, 2, 3, 3, 4, 4),
  strategy: fc.constantFrom("RollingUpdate", "RollingUpdate", "Recreate"),
  maxUnavailable: amount,
  maxSurge: amount,
  minReadySeconds: fc.nat({ max: 3 }),
  image: fc.constantFrom("mailer:1", "mailer:2"),
  queue: fc.constantFrom("mail", "post"),
  nonce: fc.constantFrom("", "again"),
  restart: fc.constantFrom("no", "always", "unless-stopped", "on-failure:2"),
  isChecked: fc.boolean(),
  graceSeconds: fc.constantFrom(undefined, 2, 15),
  onFailure: fc.constantFrom("Pause", "Pause", "Rollback"),
  /** Whether workers are told to take no new work, and asked whether they are done. */
  isDrained: fc.constantFrom(false, false, true),
  isDeleted: fc.constantFrom(...Array.from({ length: 8 }, (_, index) => index === 7)),
} as const;

/** What the manifest says, as far as these stories vary it. */
export type Manifest = { readonly [Key in keyof typeof manifest]: Drawn<(typeof manifest)[Key]> };
type Drawn<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

const life: fc.Arbitrary<Life> = fc.record(
  {
    match: fc.integer({ min: 1, max: 4 }).map((slot) => ({ label: `dev.wgctl.slot=${slot}` })),
    starts: fc.integer({ min: 1, max: 3 }),
    end: fc.record({ after: fc.constantFrom(0, 1, 4, 30), code: fc.constantFrom(0, 1) }),
    healthy: fc.constantFrom<NonNullable<Life["healthy"]>>("never", { from: 6 }, { until: 9 }),
    stop: fc.constantFrom<NonNullable<Life["stop"]>>("ignore", { after: 5 }, { after: 1, code: 1 }),
  },
  { requiredKeys: [] },
);

/** Nobody in the group stops when asked. */
const STUBBORN: Life = { stop: "ignore" };

const code = fc.constantFrom("engine-unreachable", "engine-timeout", "engine-failed");
const seconds = fc.constantFrom(1, 5, 20, 40);

const trouble: fc.Arbitrary<FaultEffect> = fc.oneof(
  fc.record({ kind: fc.constantFrom("fail-before", "fail-after"), code }),
  fc.record({ kind: fc.constant("slow"), seconds }),
  fc.record({ kind: fc.constant("late"), seconds }),
  fc.record({ kind: fc.constant("late"), seconds, code: fc.constant("engine-unreachable") }),
  fc.constant<FaultEffect>({ kind: "hang" }),
);

const troubled = fc.record({
  call: fc.constantFrom<Fault["call"][]>(
    ...(["createWorker", "startWorker", "renameWorker", "setRestartPolicy"] as const),
    ...(["signalWorker", "removeWorker", "listWorkers", "inspectWorker"] as const),
    ...(["findSignalled", "findHolders", "any"] as const),
  ),
  effect: trouble,
});

const special = fc.constantFrom<Pick<Fault, "call" | "effect">[]>(
  { call: "removeWorker", effect: { kind: "leave-dead" } },
  { call: "listWorkers", effect: { kind: "unknown", name: "mailer" } },
);

const fault: fc.Arbitrary<Fault> = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: troubled }, special),
    fc.record({ skip: fc.constantFrom(0, 0, 1, 2), times: fc.integer({ min: 1, max: 2 }) }),
  )
  .map(([what, when]) => ({ ...what, ...when }));

const run = fc.record({
  kind: fc.constant("run"),
  /** Observations until it is interrupted. */
  looks: fc.oneof(fc.integer({ min: 2, max: 5 }), fc.constantFrom(8, 16, 30)),
  budget: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(50)),
  /** The write at which the process dies, and whether that write still reached the engine. */
  dies: fc.option(fc.record({ at: fc.integer({ min: 1, max: 8 }), reached: fc.boolean() }), {
    freq: 4,
    nil: undefined,
  }),
});

const event = fc.oneof(
  { weight: 12, arbitrary: run },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("edit"),
      change: fc.record({ ...manifest }, { requiredKeys: [] }),
    }),
  },
  fc.record({ kind: fc.constant("revert") }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("live"),
      life: fc.oneof(life, life, fc.constant(STUBBORN)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("fault"), fault }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("hand"),
      what: fc.constantFrom("remove", "stop", "crash"),
      pick: fc.nat({ max: 5 }),
    }),
  },
  fc.record({ kind: fc.constant("engine"), how: fc.constantFrom("orderly", "crash") }),
  fc.record({ kind: fc.constant("lose-files") }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass"), seconds: fc.nat({ max: 70 }) }) },
);

/** One thing that happens. */
export type StoryEvent = Drawn<typeof event>;

export type Story = {
  readonly first: Manifest;
  /** Containers that somebody else has made and the group adopts; none unless told. */
  readonly adopts?: number;
  readonly events: readonly StoryEvent[];
};

/** A whole story; it is told quietly to its end by `converge`. */
export const story: fc.Arbitrary<Story> = fc.record({
  first: fc.record({ ...manifest, isDeleted: fc.constant(false) }),
  adopts: fc.constantFrom(0, 0, 0, 1, 2, 3),
  events: fc.array(event, { minLength: 8, maxLength: 40, size: "max" }),
});
