// R8: a process that dies after any of its steps, whatever becomes of its files, is taken over by the next: never more
// workers than may exist, the same workers in the end, and then nothing more to do. Every step is tried with the files
// kept, every second with one of the other fates in turn, and of many looks in a row, between which nothing happens, the
// first two and the last two; WGCTL_CRASHES=all tries every fate at every step.

import { existsSync } from "node:fs";
import { appendFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAsDeclared, expectFixedPoint, settle } from "./resting.ts";
import type { Manifest, StoryEvent } from "./scenario.ts";
import { Telling } from "./telling.ts";
import type { Step } from "./watched.ts";

const none = { kind: "count", count: 0 } as const;
const one = { kind: "count", count: 1 } as const;

const QUIET: Manifest = {
  ...{ replicas: 2, strategy: "RollingUpdate", maxUnavailable: one, maxSurge: none },
  ...{ minReadySeconds: 1, image: "mailer:1", queue: "mail", nonce: "", restart: "no" },
  ...{ isChecked: false, graceSeconds: 2, isDeleted: false },
  ...{ onFailure: "Pause", isDrained: false },
};

/** Workers of the second image end as soon as they run, the second one only later. */
const crashing: StoryEvent = {
  kind: "live",
  life: { match: { image: "mailer:2" }, end: { after: 0, code: 3 } },
};
const crashingSecond: StoryEvent = {
  kind: "live",
  life: { match: { image: "mailer:2", name: "mailer-2-" }, end: { after: 0, code: 3 } },
};
const FIXED = { image: "mailer:1", queue: "post" } as const;

type Work = {
  readonly name: string;
  /** Containers that somebody else has made and the group takes over. */
  readonly adopts?: number;
  readonly first?: Partial<Manifest>;
  /** What is changed once the first state is reached; absent: the process dies while it makes that. */
  readonly change?: Partial<Manifest>;
  /** What goes wrong besides, from then on. */
  readonly trouble?: readonly StoryEvent[];
  /** What is declared by the time the next process begins. */
  readonly meanwhile?: Partial<Manifest>;
};

const lostAnswer: StoryEvent = {
  kind: "fault",
  fault: { call: "createWorker", skip: 1, effect: { kind: "fail-after", code: "engine-timeout" } },
};
const lateCreate: StoryEvent = {
  kind: "fault",
  fault: { call: "createWorker", skip: 1, effect: { kind: "late", seconds: 40 } },
};
const stubborn: StoryEvent = { kind: "live", life: { stop: "ignore" } };

const WORKS: readonly Work[] = [
  { name: "making workers", first: { replicas: 3 } },
  { name: "rolling one by one", change: { queue: "post" } },
  {
    name: "rolling with surge",
    first: { maxUnavailable: none, maxSurge: one },
    change: { image: "mailer:2" },
  },
  { name: "replacing all at once", first: { strategy: "Recreate" }, change: { nonce: "again" } },
  { name: "scaling down", first: { restart: "always" }, change: { replicas: 0 } },
  {
    name: "stopping what does not stop",
    first: { restart: "always" },
    change: { replicas: 1 },
    trouble: [stubborn],
  },
  { name: "making workers, an answer lost", trouble: [lostAnswer] },
  { name: "making workers, one late", trouble: [lateCreate] },
  {
    name: "making workers, one late, and others are declared then",
    trouble: [lateCreate],
    meanwhile: { queue: "post" },
  },
  {
    name: "rolling to a revision that fails, which is mended then",
    first: { restart: "always" },
    change: { image: "mailer:2" },
    trouble: [crashing],
    meanwhile: FIXED,
  },
  {
    name: "rolling back a revision that fails in its second worker, which is mended then",
    first: { onFailure: "Rollback" },
    change: { image: "mailer:2" },
    trouble: [crashingSecond],
    meanwhile: FIXED,
  },
  {
    name: "rolling with surge to a revision that fails, and going back then",
    first: { maxUnavailable: none, maxSurge: one },
    change: { image: "mailer:2" },
    trouble: [crashing],
    meanwhile: { image: "mailer:1" },
  },
  { name: "adopting containers one by one", adopts: 2 },
  {
    name: "adopting containers with surge, one of them one too many",
    adopts: 3,
    first: { maxUnavailable: none, maxSurge: one },
  },
  {
    name: "adopting containers for a revision that fails, which is mended then",
    adopts: 2,
    first: { image: "mailer:2", restart: "always" },
    trouble: [crashing],
    meanwhile: FIXED,
  },
  {
    name: "draining workers that are replaced",
    first: { isDrained: true },
    change: { queue: "post" },
  },
];

/** What becomes of the state folder when the process has died. */
type Fate = {
  readonly name: string;
  /** What was known of creates under way is lost with it. */
  readonly forgets: boolean;
  readonly strike: (folder: string) => Promise<void>;
};

const remove = (path: string) => rm(path, { recursive: true, force: true });
const status = (folder: string) => join(folder, "status.json");
const journal = (folder: string) => join(folder, "journal.ndjson");

const KEPT: Fate = { name: "kept", forgets: false, strike: async () => undefined };

const OTHERS: readonly Fate[] = [
  {
    name: "kept, the journal cut off in a line",
    forgets: false,
    strike: (folder) => appendFile(journal(folder), '{"v":1,"kind":"inte').catch(ignore),
  },
  { name: "lost", forgets: true, strike: remove },
  { name: "without status", forgets: false, strike: (folder) => remove(status(folder)) },
  {
    name: "with half a status",
    forgets: false,
    strike: (folder) => truncate(status(folder), 200).catch(ignore),
  },
  { name: "without journal", forgets: true, strike: (folder) => remove(journal(folder)) },
  {
    name: "with a journal of nonsense",
    forgets: true,
    strike: (folder) => writeFile(journal(folder), "\0nonsense").catch(ignore),
  },
];

/** There was no folder yet. */
function ignore(): undefined {
  return undefined;
}

/** A folder in memory where there is one: flushing to a disk ten thousand times proves nothing here. */
function fastFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

let root: string;
let told = 0;
beforeAll(async () => {
  root = await mkdtemp(join(fastFolder(), "wgctl-crash-"));
});
afterAll(() => remove(root));

const WHOLE = { looks: 200, budget: 50 };

/** A world in which the work is about to begin. */
async function begin({ adopts = 0, first, change, trouble = [] }: Work, folder: string) {
  const telling = await Telling.begin(
    { first: { ...QUIET, ...first }, adopts, events: [] },
    folder,
  );
  if (change !== undefined) {
    await telling.run(WHOLE);
    await telling.tell({ kind: "edit", change });
  }
  for (const event of trouble) await telling.tell(event);
  return telling;
}

const namesOf = ({ witness }: Telling) =>
  witness
    .existing()
    .map(({ name }) => name)
    .sort();

async function goOn(telling: Telling, { meanwhile }: Work): Promise<void> {
  if (meanwhile !== undefined) await telling.tell({ kind: "edit", change: meanwhile });
}

/** Steps of a process that nothing happens to, and the workers it leaves. */
async function undisturbed(work: Work) {
  const folder = join(root, String(++told));
  const telling = await begin(work, folder);
  const { steps } = await telling.run(WHOLE);
  await goOn(telling, work);
  await settle(telling);
  expectAsDeclared(telling);
  return { steps, names: namesOf(telling) };
}

async function dieAfter(lastStep: number, work: Work, fate: Fate): Promise<readonly string[]> {
  const folder = join(root, String(++told));
  const telling = await begin(work, folder);
  const { result } = await telling.run({ ...WHOLE, lastStep });
  expect(result).toBeUndefined();
  await fate.strike(folder);
  if (fate.forgets) telling.witness.forgetPending();
  expect(telling.witness.violations).toEqual([]);
  await goOn(telling, work);
  await settle(telling);
  expectAsDeclared(telling);
  await expectFixedPoint(telling, folder);
  await remove(folder);
  return namesOf(telling);
}

const TRIES_ALL = process.env["WGCTL_CRASHES"] === "all";
const PATIENCE_MS = TRIES_ALL ? 900_000 : 120_000;

/** The moments worth dying at, as steps before them. While it only looks and waits, one is like another. */
function momentsIn(steps: readonly Step[]): readonly number[] {
  const isLook = (at: number) => steps[at] === "look";
  const isWait = (at: number) => [at - 2, at - 1, at, at + 1].every(isLook);
  return [...steps.keys()].filter((at) => TRIES_ALL || !isWait(at));
}

/** The fates that are tried at the n-th of them. */
function fatesAt(turn: number): readonly Fate[] {
  if (TRIES_ALL) return [KEPT, ...OTHERS];
  const other = turn % 2 === 0 ? OTHERS[(turn / 2) % OTHERS.length] : undefined;
  return other === undefined ? [KEPT] : [KEPT, other];
}

describe("R8: a process that dies after any of its steps is taken over", () => {
  it.each(WORKS)(
    "while $name",
    async (work) => {
      const { steps, names } = await undisturbed(work);
      let deaths = 0;
      for (const [turn, step] of momentsIn(steps).entries()) {
        for (const fate of fatesAt(turn)) {
          const left = await dieAfter(step, work, fate);
          expect(left, `after ${step} steps, files ${fate.name}`).toEqual(names);
          deaths += 1;
        }
      }
      console.info(
        `crash while ${work.name}: ${deaths} deaths at ${momentsIn(steps).length} of ${steps.length} steps`,
      );
    },
    PATIENCE_MS,
  );
});
