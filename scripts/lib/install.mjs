// Makes sure that node_modules is what package-lock.json says. Needs nothing but Node and npm.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runShown } from "./process.mjs";

/** @param {string} file */
function readPackages(file) {
  try {
    /** @type {Record<string, { version?: string, optional?: boolean }>} */
    const packages = JSON.parse(readFileSync(join(ROOT, file), "utf8")).packages;
    return packages;
  } catch {
    return undefined;
  }
}

/** True when every package of the lock file is installed in its version; those for other platforms do not count. */
export function isInstalled() {
  const wanted = readPackages("package-lock.json") ?? {};
  const installed = readPackages("node_modules/.package-lock.json");
  if (installed === undefined) return false;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" || entry.optional === true || installed[path]?.version === entry.version,
  );
}

/** Runs `npm ci` when it is needed. Throws when npm fails. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const code = await runShown("npm", ["ci", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}`);
}
