// The license texts of the packages that a bundle contains, which their licenses ask to be passed on.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./process.mjs";

/**
 * One text with name, version, license and full license text of every package among the bundle's inputs.
 * Throws when a package has no license file: then somebody must look.
 *
 * @param {readonly string[]} inputs  Paths relative to the repository, as esbuild's metafile gives them.
 */
export async function collectNotices(inputs) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const parts = await Promise.all([...folders].sort().map(describePackage));
  return `wgctl contains the packages below, each under its own license.\n${parts.join("")}`;
}

/** @param {string} input */
function packageFolder(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

/** @param {string} folder */
async function describePackage(folder) {
  const path = join(ROOT, folder);
  const { name, version, license } = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
  const file = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} (${license}) has no license file`);
  const text = await readFile(join(path, file), "utf8");
  return `\n${"-".repeat(72)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}
