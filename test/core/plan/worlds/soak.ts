// A program that tries random worlds, chunk after chunk, each of a seed of its own. Progress goes to stderr, what came
// of it as one line of JSON to stdout. `scripts/lib/worlds.mjs` bundles and runs it: arguments are worlds and seed.

import { sweep } from "./sweep.ts";
import { Watch } from "./watch.ts";

const CHUNK = 5_000;
const LINE_EVERY_MS = 20_000;

function soak(worlds: number, firstSeed: number): void {
  const watch = new Watch();
  const began = Date.now();
  let said = began;
  let broken: string | undefined;
  for (let tried = 0; tried < worlds && broken === undefined; tried += CHUNK) {
    broken = sweep(firstSeed + tried / CHUNK, Math.min(CHUNK, worlds - tried), watch);
    if (Date.now() - said < LINE_EVERY_MS) continue;
    said = Date.now();
    const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
    process.stderr.write(
      `${tried + CHUNK} worlds, ${watch.plans} plans, ${Math.round((said - began) / 1000)} s, ${megabytes} MB\n`,
    );
  }
  const { plans, worst, tried } = watch;
  process.stdout.write(
    `${JSON.stringify({ plans, worst, broken, tried: Object.fromEntries(tried) })}\n`,
  );
}

const [worlds, seed] = process.argv.slice(2).map(Number);
if (worlds === undefined || seed === undefined) throw new Error("usage: soak WORLDS SEED");
soak(worlds, seed);
