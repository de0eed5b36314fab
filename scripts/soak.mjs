// npm run test:soak: holds the planner's promises against a million random worlds, in one process and little memory.
// usage: node scripts/soak.mjs [WORLDS] [SEED]; exits 1 with the smallest world found that breaks a promise.

import { tryWorlds, wholeNumber } from "./lib/worlds.mjs";

const MILLION = 1_000_000;

/** @param {readonly string[]} args */
async function soak([worldsText, seedText]) {
  const worlds = wholeNumber(worldsText, MILLION);
  const seed = wholeNumber(seedText, 1 + (Date.now() % MILLION));
  process.stdout.write(`soak: ${worlds} worlds from seed ${seed}\n`);
  const { plans, worst, tried, broken } = await tryWorlds(worlds, seed);
  for (const [promise, times] of Object.entries(tried)) {
    process.stdout.write(`${String(times).padStart(12)}  ${promise}\n`);
  }
  process.stdout.write(
    `${plans} plans; to rest with at most ${worst.calls} calls and ${worst.passes} passes for each worker and slot\n`,
  );
  if (broken !== undefined) process.stdout.write(`BROKEN: ${broken}\n`);
  else process.stdout.write(`${worlds} worlds from seed ${seed}: every promise kept\n`);
  return broken === undefined;
}

try {
  process.exitCode = (await soak(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
