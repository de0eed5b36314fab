// Makes dist/: one CommonJS bundle, its code cache, and the licenses of what is in it. Says nothing and decides no flags.

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { lazyBuiltins } from "./lazy-builtins.mjs";
import { collectNotices } from "./notices.mjs";
import { ROOT, runQuietly } from "./process.mjs";

/** Stands in the bundle for its id, which is made of all the rest. */
const BUILD_ID = "wgctl-build-id--";

/** @typedef {(environment: NodeJS.ProcessEnv, folder: string, kind?: "" | "-quiet") => Promise<void>} MakeCache */
/** @typedef {{ id: string, bundleBytes: number, cacheBytes: number }} BuildResult */

/**
 * Builds `entry`, which exports `main(argv): Promise<number>`, into `folder`. The first line of the bundle names its
 * content, and so does the cache's file name: V8 itself compares no more than the length of a source.
 *
 * @param {{ entry: string, folder: string, warmUp: (makeCache: MakeCache) => Promise<void> }} options
 * @returns {Promise<BuildResult>}
 */
export async function buildBundle({ entry, folder, warmUp }) {
  const { text, inputs } = await compile(entry);
  const id = createHash("sha256").update(text).digest("hex").slice(0, BUILD_ID.length);
  const staging = await mkdtemp(join(tmpdir(), "wgctl-build-"));
  try {
    const source = `/*${id}*/${text.replace(BUILD_ID, id)}`;
    const bundle = join(staging, "wgctl.cjs");
    const stem = join(staging, `${id}-${process.version}-${process.arch}`);
    await writeFile(bundle, source);
    await writeFile(join(staging, "THIRD-PARTY-NOTICES.txt"), await collectNotices(inputs));
    await warmUp((environment, cwd, kind = "") =>
      makeCache(bundle, `${stem}${kind}.cache`, { environment, cwd }),
    );
    const cacheBytes = (await readFile(`${stem}.cache`)).length;
    await publish(staging, folder);
    return { id, bundleBytes: source.length, cacheBytes };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** What a run with nothing to do can go without; loading them took a twentieth of it. */
const SELDOM_USED = [
  "node:child_process",
  "node:crypto",
  "node:fs/promises",
  "node:os",
  "node:readline/promises",
  "node:timers/promises",
];

/** @param {string} entry */
async function compile(entry) {
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20.19",
    plugins: [lazyBuiltins(SELDOM_USED)],
    legalComments: "none", // the whole license texts are kept beside the bundle
    define: {
      "process.env.NODE_ENV": '"production"',
      "process.env.WGCTL_BUILD_ID": JSON.stringify(BUILD_ID),
    },
    banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
    footer: { js: "})" },
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error(`esbuild made nothing of ${entry}`);
  refuseImports(Object.values(result.metafile.outputs).flatMap(({ imports }) => imports));
  return { text: output.text, inputs: Object.keys(result.metafile.inputs) };
}

/**
 * V8 cannot import from code that came out of a cache, so no import may be left in the bundle.
 *
 * @param {readonly { path: string, kind: string }[]} imports
 */
function refuseImports(imports) {
  const left = imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path);
  if (left.length > 0)
    throw new Error(`import(${left.join(", ")}) would fail: use the loader that main() is given`);
}

/**
 * A process of its own, without flags, because a cache is good only for the flags it was made under.
 *
 * @param {string} bundle
 * @param {string} cache
 * @param {{ environment: NodeJS.ProcessEnv, cwd: string }} where
 */
async function makeCache(bundle, cache, { environment, cwd }) {
  const script = join(ROOT, "scripts/lib/make-cache.mjs");
  await runQuietly(process.execPath, [script, bundle, cache], { cwd, env: environment }).catch(
    (cause) => {
      throw new Error(`making the code cache failed: ${cause.message}`);
    },
  );
}

/**
 * Moves the files into place, the bundle last, then drops caches of other builds.
 *
 * @param {string} staging
 * @param {string} folder
 */
async function publish(staging, folder) {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(staging)).filter((name) => /\.(cache|txt)$/.test(name));
  for (const name of [...names, "wgctl.cjs"]) {
    const beside = join(folder, `.${name}.${process.pid}`);
    await writeFile(beside, await readFile(join(staging, name)));
    await rename(beside, join(folder, name));
  }
  const old = (await readdir(folder)).filter((name) => name.endsWith(".cache"));
  for (const name of old) if (!names.includes(name)) await rm(join(folder, name), { force: true });
}
