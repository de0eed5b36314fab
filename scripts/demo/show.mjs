// What the demo shows, in order. Each act types commands and checks what became of the world.

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { IMAGES } from "./story.mjs";

/** @typedef {import("./stage.mjs").Stage} Stage */

const GROUP = "groups/example.yaml";
const FAILURE = "echo cannot go on; exit 3";
const ROLLOUT_FAILED = 6;

/** @param {Stage} stage */
async function start(stage) {
  stage.say("A new project, and its example group on an image of the demo's own");
  mkdirSync(stage.home);
  await stage.type("wgctl init");
  await stage.type(`sed -i 's|image: .*|image: ${IMAGES[0]}|' ${GROUP}`);
  await stage.type(`cat ${GROUP}`);
  stage.say("What would happen?");
  await stage.type("wgctl plan");
  stage.expect((await stage.workers()).length === 0, "planning made nothing");
  stage.say("Do it");
  await stage.type("wgctl apply --yes");
  stage.expect((await stage.running()).length === 2, "two workers run");
  await stage.type("wgctl status");
}

/** @param {Stage} stage */
async function repeat(stage) {
  stage.say("Again: nothing to do, so nothing is done");
  const file = join(stage.home, stage.engine.stateFolder, "status.json");
  const before = statSync(file);
  const { history } = stage.engine;
  const since = await history.now();
  await stage.type("wgctl apply --yes");
  const after = statSync(file);
  stage.expect(await history.isQuietSince(since), "the engine saw no event");
  stage.expect(
    before.ino === after.ino && before.mtimeMs === after.mtimeMs,
    "the status file was not touched",
  );
}

/** @param {Stage} stage */
async function scale(stage) {
  stage.say("From two workers to four");
  await stage.type(`sed -i 's/replicas: 2/replicas: 4/' ${GROUP}`);
  await stage.type("wgctl apply --yes");
  stage.expect((await stage.running()).length === 4, "four workers run");
}

/** @param {Stage} stage */
async function repair(stage) {
  const victim = (await stage.running())[1];
  if (victim === undefined) throw new Error("there is no second worker");
  stage.say("Somebody removes a worker by hand, and the next run puts it back");
  await removeByHand(stage, victim.name);
  await stage.type("wgctl plan");
  await stage.type("wgctl apply --yes");
  const back = (await stage.running()).find(({ name }) => name === victim.name);
  stage.expect(back !== undefined, `${victim.name} runs again under its name`);
  stage.expect(back?.id !== victim.id, "as another container");
}

/** @param {Stage} stage */
async function roll(stage) {
  stage.say("A new image, rolled one by one");
  await stage.type(`sed -i 's|${IMAGES[0]}|${IMAGES[1]}|' ${GROUP}`);
  await stage.type("wgctl plan");
  const looking = watch(stage);
  await stage.type("wgctl apply --yes").finally(() => looking.end());
  const { looks, fewestRunning, mostExisting } = await looking.seen;
  stage.expect(
    fewestRunning >= 3 && mostExisting <= 4,
    `in ${looks} looks from outside at least ${fewestRunning} of 4 ran and at most ${mostExisting} existed`,
  );
  await stage.type("wgctl status -o wide");
}

/** @param {Stage} stage */
async function fail(stage) {
  const before = await stage.running();
  stage.say("A change that does not work: one worker tries it, and ends");
  await stage.engine.prepareFailure(FAILURE);
  await stage.type(`sed -i 's/trap/${FAILURE}; trap/' ${GROUP}`);
  await stage.type("wgctl apply --yes", ROLLOUT_FAILED);
  const after = await stage.running();
  const ids = new Set(after.map(({ id }) => id));
  stage.expect(
    before.every(({ id }) => ids.has(id)),
    "the four from before run, the same containers",
  );
  stage.say("Again: it is not tried a second time");
  await stage.type("wgctl apply --yes", ROLLOUT_FAILED);
  stage.say("The change is taken back");
  await stage.type(`sed -i 's/${FAILURE}; trap/trap/' ${GROUP}`);
  await stage.type("wgctl apply --yes");
  stage.expect((await stage.workers()).length === 4, "four workers, and nothing else, are there");
}

/** @param {Stage} stage */
async function leave(stage) {
  stage.say("The group is deleted: a timestamp in its file, so that the intent is in Git");
  await stage.type(
    `sed -i "s/^  uid: .*/&\\n  deletionTimestamp: $(date -u +%FT%TZ)/" ${GROUP} && head -n 8 ${GROUP}`,
  );
  await stage.type("wgctl apply --yes");
  stage.expect((await stage.workers()).length === 0, "no worker is left");
}

/** @param {Stage} stage */
export async function perform(stage) {
  for (const act of [start, repeat, scale, repair, roll, fail, leave]) await act(stage);
}

/**
 * @param {Stage} stage
 * @param {string} name
 */
async function removeByHand(stage, name) {
  const removal = stage.engine.removal(name);
  if ("line" in removal) return stage.type(removal.line);
  await removal.remove();
  process.stdout.write(`# ${removal.remark}\n`);
}

/**
 * What is kept, stopped, until a rollout is complete does not count.
 *
 * @param {import("./story.mjs").Worker} worker
 */
function exists({ name, state }) {
  if (state === "running") return true;
  return state !== "removing" && state !== "dead" && !/\.kept-\d+$/.test(name);
}

/**
 * Counts until told to end.
 *
 * @param {Stage} stage
 */
function watch(stage) {
  let ended = false;
  const look = async () => {
    const seen = { looks: 0, fewestRunning: Number.POSITIVE_INFINITY, mostExisting: 0 };
    while (!ended) {
      const workers = [...new Map((await stage.workers()).map((one) => [one.id, one])).values()];
      const existing = workers.filter(exists);
      const running = workers.filter(({ state }) => state === "running");
      seen.looks += 1;
      seen.fewestRunning = Math.min(seen.fewestRunning, running.length);
      seen.mostExisting = Math.max(seen.mostExisting, existing.length);
      await new Promise((resolve) => setTimeout(resolve, stage.engine.lookEveryMs));
    }
    return seen;
  };
  const seen = look();
  seen.catch(() => undefined); // whoever awaits it sees the error; when the show was stopped nobody does
  return {
    seen,
    end: () => {
      ended = true;
    },
  };
}
