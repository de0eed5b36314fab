// npm run test:soak: the long tests. First a million random worlds for the planner, in one process and little memory,
// then every *.soak.ts, then what docker compose makes of the samples, recorded anew and compared.
// usage: node scripts/soak.mjs [worlds [WORLDS] [SEED] | rest [path ...] | compose]

import { join } from "node:path";
import { cleanEnvironment, ROOT, runShown } from "./lib/process.mjs";
import { tryWorlds, wholeNumber } from "./lib/worlds.mjs";

const MILLION = 1_000_000;

/**
 * Tells the smallest world found where one breaks a promise.
 *
 * @param {readonly string[]} args
 */
async function soakWorlds([worldsText, seedText]) {
  const worlds = wholeNumber(worldsText, MILLION);
  const seed = wholeNumber(seedText, 1 + (Date.now() % MILLION));
  process.stdout.write(`${worlds} random worlds from seed ${seed}\n`);
  const { plans, worst, tried, broken } = await tryWorlds(worlds, seed);
  for (const [promise, times] of Object.entries(tried)) {
    process.stdout.write(`${String(times).padStart(12)}  ${promise}\n`);
  }
  process.stdout.write(
    `${plans} plans; to rest with at most ${worst.calls} calls and ${worst.passes} passes for each worker and slot\n`,
  );
  const verdict = broken === undefined ? "every promise kept" : `BROKEN: ${broken}`;
  process.stdout.write(`${worlds} worlds from seed ${seed}: ${verdict}\n`);
  return broken === undefined;
}

/** @param {readonly string[]} paths */
async function soakRest(paths) {
  const vitest = join(ROOT, "node_modules/.bin/vitest");
  const args = ["run", "--config", "vitest.soak.config.ts", ...paths];
  return (await runShown(vitest, args, { env: cleanEnvironment() })) === 0;
}

async function soakCompose() {
  for (const name of ["record-merging.mjs", "record-compose.mjs"]) {
    const args = [join(ROOT, "scripts", name), "--check"];
    if ((await runShown(process.execPath, args, { env: cleanEnvironment() })) !== 0) return false;
  }
  return true;
}

/** @param {readonly string[]} args */
async function soak([part, ...args]) {
  switch (part) {
    case undefined:
      return (await soakWorlds([])) && (await soakRest([])) && soakCompose();
    case "worlds":
      return soakWorlds(args);
    case "rest":
      return soakRest(args);
    case "compose":
      return soakCompose();
    default:
      throw new Error(`no part called ${part}: take worlds, rest or compose`);
  }
}

try {
  process.exitCode = (await soak(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
