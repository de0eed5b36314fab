// Runs a bundle's common commands in this process and saves V8's code for every function they used.
// usage: node make-cache.mjs BUNDLE CACHE, in a process of its own; WARM_UP holds the command lines as JSON.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

const [bundle = "", cache = ""] = process.argv.slice(2);
// V8 keeps this file name in the cache, where a stack trace of the installed program shows it
const script = new Script(readFileSync(bundle, "latin1"), { filename: "wgctl.cjs" });
/** @type {{ exports: { main?: (argv: readonly string[]) => Promise<number> } }} */
const loaded = { exports: {} };
const require = createRequire(import.meta.url);
script.runInThisContext()(loaded.exports, require, loaded, bundle, dirname(bundle));

/** @type {{ argv: string[], code: number }[]} */
const commands = JSON.parse(process.env["WARM_UP"] ?? "[]");
for (const { argv, code } of commands) {
  const ended = await loaded.exports.main?.(argv);
  // a command that fails warms the wrong code, and says that something is broken
  if (ended !== code) throw new Error(`wgctl ${argv.join(" ")} ended with ${ended}, not ${code}`);
}
writeFileSync(cache, script.createCachedData());
process.exit(0);
