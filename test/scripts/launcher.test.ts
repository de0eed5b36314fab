import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildBundle } from "../../scripts/lib/bundle.mjs";
import { cleanEnvironment, ROOT } from "../../scripts/lib/process.mjs";

const PROGRAM = `
export async function main(argv, loadModule) {
  const { join } = await import("./lazy.mjs");
  process.stdout.write(join(argv));
  if (argv[0] === "chunk") process.stdout.write((await loadModule("chunk.mjs")).text);
  return argv.length;
}`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-launcher-"));
  cpSync(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "main.mjs"), PROGRAM);
  writeFileSync(
    join(folder, "lazy.mjs"),
    `export const join = (words) => words.join("+") + "\\u00e9";`,
  );
  await build([{ argv: ["warm"], code: 1 }]);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const build = (commands: readonly { argv: readonly string[]; code: number }[]) =>
  buildBundle({
    entry: join(folder, "main.mjs"),
    folder: join(folder, "dist"),
    warmUp: (makeCache) => makeCache({ WARM_UP: JSON.stringify(commands) }, folder),
  });

const run = (args: readonly string[], execArgv: readonly string[] = []) => {
  try {
    const launcher = join(folder, "bin/wgctl.js");
    const options = { encoding: "utf8", env: cleanEnvironment() } as const;
    return {
      code: 0,
      out: execFileSync(process.execPath, [...execArgv, launcher, ...args], options),
    };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { code: status, out: stdout };
  }
};

const cacheFile = () => {
  const name = readdirSync(join(folder, "dist")).find((file) => file.endsWith(".cache"));
  if (name === undefined) throw new Error("no cache was built");
  return join(folder, "dist", name);
};

/** What the launcher's `vm.Script` said of the cache it was given. */
const wasRejected = (execArgv: readonly string[] = [], args: readonly string[] = []) => {
  const script = `
    const vm = require("node:vm"); const { Script } = vm;
    vm.Script = class extends Script { constructor(...a) { super(...a); process.stderr.write(String(this.cachedDataRejected)); } };`;
  writeFileSync(join(folder, "spy.cjs"), script);
  const spied = ["-r", join(folder, "spy.cjs"), ...execArgv, join(folder, "bin/wgctl.js"), ...args];
  return execFileSync("sh", ["-c", `"$0" "$@" 2>&1 >/dev/null; true`, process.execPath, ...spied], {
    encoding: "utf8",
    env: cleanEnvironment(),
  });
};

it("runs the bundle, lazy imports included, and passes its exit code on", () => {
  expect(run([])).toEqual({ code: 0, out: "é" });
  expect(run(["a", "b"])).toEqual({ code: 2, out: "a+bé" });
});

it("answers --version by itself, and leaves all else to the bundle", () => {
  writeFileSync(join(folder, "package.json"), '{"version": "1.2.3"}');
  expect(run(["--version"]).out).toBe("1.2.3\n");
  expect(run(["--version", "plan"]).out).toBe("--version+plané");
});

it("uses the cache the build made", () => {
  expect(wasRejected()).toBe("false");
});

it("runs without a cache, with a damaged one, and under flags it was not made for", () => {
  const good = readFileSync(cacheFile());
  writeFileSync(cacheFile(), good.subarray(0, 100));
  expect(run(["x"])).toEqual({ code: 1, out: "xé" });
  expect(wasRejected()).toBe("true");
  writeFileSync(cacheFile(), good);
  expect(wasRejected(["--no-opt"])).toBe("true");
  expect(run(["x"], ["--no-opt"])).toEqual({ code: 1, out: "xé" });
});

it("gives apply the cache of its quiet run where there is one, and all else the whole one", () => {
  const quiet = cacheFile().replace(".cache", "-quiet.cache");
  writeFileSync(quiet, readFileSync(cacheFile()).subarray(0, 100));
  expect([wasRejected([], ["apply"]), wasRejected([], ["plan"])]).toEqual(["true", "false"]);
});

it("does not take the cache of another bundle of the same length", () => {
  const bundle = join(folder, "dist/wgctl.cjs");
  const text = readFileSync(bundle, "latin1");
  writeFileSync(bundle, text.replace(/^\/\*.{16}/, "/*0123456789abcdef").replace('"+"', '"-"'));
  expect(run(["a", "b"]).out).toBe("a-bé");
  expect(wasRejected()).toBe("undefined");
});

it("loads an ESM chunk that lies beside the bundle", () => {
  writeFileSync(join(folder, "dist/chunk.mjs"), `export const text = " and a chunk";`);
  expect(run(["chunk"]).out).toBe("chunké and a chunk");
});

it("loads what is seldom used only when it is used", async () => {
  writeFileSync(
    join(folder, "main.mjs"),
    `import { execFileSync } from "node:child_process";
    const isLoaded = () => process.moduleLoadList.includes("NativeModule child_process");
    export async function main() {
      const before = isLoaded();
      process.stdout.write(before + execFileSync("echo", ["-then-"], { encoding: "utf8" }).trimEnd() + isLoaded());
      return 0;
    }`,
  );
  await build([{ argv: [], code: 0 }]);
  expect(run([]).out).toBe("false-then-true");
});

it("refuses to build a bundle with an import that its cache would break", async () => {
  appendFileSync(join(folder, "main.mjs"), 'export const broken = () => import("https://chunk");');
  await expect(build([{ argv: ["warm"], code: 1 }])).rejects.toThrow("import(https://chunk)");
});

it("fails to build when a warm-up command fails", async () => {
  await expect(build([{ argv: ["warm"], code: 0 }])).rejects.toThrow(
    "making the code cache failed: ",
  );
});
