// Random worlds as plain data, so that one that breaks a promise can be made smaller and kept: what is declared, what is
// there, and what happens before the world stops moving.

import * as fc from "fast-check";
import type { Amount, ExitAction } from "../../../../src/core/model.ts";

type Drawn<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

const amount: fc.Arbitrary<Amount> = fc.oneof(
  fc.nat({ max: 3 }).map((count) => ({ kind: "count", count }) as const),
  fc.constantFrom(0, 10, 34, 50, 100).map((percent) => ({ kind: "percent", percent }) as const),
);

/** Most values are the first; so many in a hundred are one of the others. */
function mostly<Value extends string | boolean | undefined>(
  usual: Value,
  percent: number,
  ...others: readonly Value[]
): fc.Arbitrary<Value> {
  const odd = fc.constantFrom(...others);
  return fc.oneof(
    { weight: 100 - percent, arbitrary: fc.constant(usual) },
    { weight: percent, arbitrary: odd },
  );
}

/** How workers are told to take no new work, and whether they are asked whether they are done. */
export type Draining = "signal" | "exec" | "wait" | "both";

export const BAD = "bad";

const manifest = {
  /** Workers of a bad one fail, in whatever way the world has them fail. */
  command: fc.constantFrom("a", "a", "b", "b", BAD),
  image: mostly("mailer:1", 12, "mailer:2", "mailer:9"),
  nonce: mostly("", 10, "2"),
  restart: mostly("no", 30, "always"),
  replicas: fc.constantFrom(0, 1, 2, 2, 3, 3, 4),
  strategy: mostly("RollingUpdate", 20, "Recreate"),
  maxUnavailable: amount,
  maxSurge: amount,
  minReadySeconds: fc.constantFrom(0, 2, 5),
  /** What keeps the group, or its rollout, until a person acts. */
  hold: mostly<"" | Hold>("", 12, "paused", "suspended", "invalid", "never-pull", "no-network"),
  onFailure: mostly<"Pause" | "Rollback">("Pause", 40, "Rollback"),
  onExit: mostly<"" | ExitAction>("", 25, "Leave", "Restart", "Recreate"),
  onUnhealthy: mostly<"Replace" | "Report">("Replace", 8, "Report"),
  drain: mostly<"" | Draining>("", 30, "signal", "exec", "wait", "both"),
  cpus: mostly<"" | "1" | "2">("", 20, "1", "2"),
} as const;
const declared = fc.record(manifest);
type Hold = "paused" | "suspended" | "invalid" | "never-pull" | "no-network";

/** What a group's manifest says, as far as these worlds vary it. */
export type Declared = Drawn<typeof declared>;

const there = fc.record({
  /** In what it differs from what is declared at first. */
  differs: mostly<"" | "command" | "image" | "nonce" | "restart">(
    "",
    45,
    ...(["command", "command", "image", "nonce", "restart"] as const),
  ),
  slot: fc.integer({ min: 1, max: 6 }),
  attempt: fc.constantFrom(1, 1, 1, 2, 3),
  run: fc.constantFrom(
    ...([
      "long",
      "long",
      "long",
      "long",
      "young",
      "healthy",
      "healthy",
      "starting",
      "late",
    ] as const),
    ...(["unhealthy", "created", "refused", "restarting", "exited", "ended", "forgiven"] as const),
    ...(["paused", "removing", "dead", "restarted", "killed", "unfit"] as const),
  ),
  phase: mostly<"" | "stopping" | "draining" | "kept" | "failed">(
    "",
    30,
    ...(["stopping", "stopping", "draining", "draining", "kept", "kept", "failed"] as const),
  ),
  phaseAge: fc.constantFrom(1, 5, 60),
  signalled: fc.boolean(),
  disarmed: mostly(false, 20, true),
  /** It has another CPU limit than it was made with. */
  isAdrift: mostly(false, 10, true),
  nature: mostly<Nature>("plain", 30, "stubborn", "sick", "busy", "quitter"),
  project: mostly<"own" | "none" | "other">("own", 6, "none", "none", "other"),
  newer: mostly(false, 1, true),
  /** Somebody else made it, and its group adopts it. */
  isAdopted: mostly(false, 8, true),
});

/**
 * How a worker takes to life: one that does not stop when asked, one that never becomes ready, one that fails, one that
 * never has nothing to do, one that ends once it is told to take no new work, one that ends when its job is done.
 */
export type Nature = "plain" | "stubborn" | "sick" | "crasher" | "busy" | "quitter" | "jobber";

/** A container that is there from the beginning. */
export type There = Drawn<typeof there>;

const group = fc.record({
  declared,
  fate: mostly<"stays" | "deleted" | "orphan">("stays", 15, "deleted", "orphan"),
  there: fc.array(there, { maxLength: 6 }),
});

export type GroupRecipe = Drawn<typeof group>;

const pass = fc.record({
  kind: fc.constant("pass"),
  /** Actions until the process dies; most of them live. */
  cut: fc.oneof(fc.constant(1000), fc.nat({ max: 8 })),
  /** Which of the actions that may be next is next, over and over. */
  order: fc.array(fc.nat({ max: 7 }), { maxLength: 4 }),
  fails: fc.array(fc.nat({ max: 8 }), { maxLength: 1 }),
  /** What comes of the first create, which gets no answer. */
  unanswered: mostly<"" | "made" | "late" | "never">("", 25, "made", "late", "never"),
  /** Whether the status is written afterwards. */
  isRecorded: mostly(true, 20, false),
});

const event = fc.oneof(
  { weight: 5, arbitrary: pass },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("time"),
      seconds: fc.constantFrom(1, 3, 11, 70, 400),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("befall"),
      what: fc.constantFrom(
        ...(["exit", "unhealthy", "restart", "remove", "pause", "dead", "kill", "finish"] as const),
      ),
      pick: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("edit"),
      change: fc.record({ ...manifest }, { requiredKeys: [] }),
    }),
  },
  fc.record({ kind: fc.constant("delete") }),
  fc.record({ kind: fc.constant("retry") }),
  fc.record({ kind: fc.constant("forget"), what: fc.constantFrom("file", "history") }),
  fc.record({
    kind: fc.constant("newborn"),
    nature: fc.constantFrom<Nature>("stubborn", "sick", "crasher", "busy", "jobber"),
  }),
);

/** One thing that happens before the world stops moving. */
export type WorldEvent = Drawn<typeof event>;
export type PassEvent = Drawn<typeof pass>;

/** One random world. */
export const recipe = fc.record({
  groups: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(group) },
    { weight: 1, arbitrary: fc.tuple(group, group) },
  ),
  strangers: fc.subarray(["other", "copied", "half"] as const),
  /** A slot whose next name somebody else holds. */
  squat: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 20, nil: undefined }),
  /** The engine lists one worker and says nothing of it, at the first look. */
  isMute: mostly(false, 4, true),
  isChecked: fc.boolean(),
  prune: fc.boolean(),
  budget: fc.oneof({ weight: 2, arbitrary: fc.constant(1000) }, fc.integer({ min: 1, max: 9 })),
  /** How workers of a bad revision fail. */
  badness: fc.constantFrom("crash", "refuse", "sick"),
  /** What people do about one: mend its cause and try again, or declare another. */
  isCured: fc.boolean(),
  events: fc.array(event, { maxLength: 4 }),
  /** Whether it is followed until it comes to rest, which takes longer than all the rest. */
  isFollowed: mostly(false, 20, true),
  /** What else is tried on its first plan. */
  trial: fc.constantFrom("orders", "budget", "again"),
  shuffle: fc.nat({ max: 1000 }),
});

export type Recipe = Drawn<typeof recipe>;
