// Runs the built CLI as a user would, in an environment where nothing is set that the test did not set.

import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, ROOT, runShown } from "../../scripts/lib/process.mjs";

export type CliOptions = {
  readonly cwd: string;
  /** Added to PATH, HOME and DOCKER_HOST. */
  readonly env?: Readonly<Record<string, string>>;
  /** Given on stdin; without it stdin is empty. */
  readonly input?: string;
  /** The run is killed after that time, which gives the code 137; 120 s unless given. */
  readonly deadlineMs?: number;
  /** A command that runs the one given to it, in the same process: `["unshare", "-n"]`. */
  readonly through?: readonly string[];
  /** Sees the process right after its start, to signal it. */
  readonly onStart?: (pid: number) => void;
};

export type CliResult = {
  /** Exit code; 128 and the signal's number when a signal ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
};

const SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** One run of `wgctl` with these arguments, on the engine under test unless `env` says otherwise. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  await ensureBuilt();
  const home = await mkdtemp(join(tmpdir(), "wgctl-home-"));
  try {
    return await runIn(home, args, options);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function runIn(home: string, args: readonly string[], options: CliOptions): Promise<CliResult> {
  const started = performance.now();
  const words = [...(options.through ?? []), process.execPath, join(ROOT, "bin/wgctl.js"), ...args];
  const [program = process.execPath, ...rest] = words;
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: cliEnvironment(home, options.env),
    timeout: options.deadlineMs ?? 120_000,
    killSignal: "SIGKILL",
  });
  if (child.pid !== undefined) options.onStart?.(child.pid);
  child.stdin.on("error", () => undefined); // it may end without reading
  child.stdin.end(options.input ?? "");
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const ended = code ?? 128 + (SIGNALS[signal ?? ""] ?? 0);
      const milliseconds = performance.now() - started;
      resolve({ code: ended, stdout: stdout(), stderr: stderr(), milliseconds });
    });
  });
}

/** PATH, HOME and DOCKER_HOST, and what a test adds. */
export function cliEnvironment(home: string, extra: Readonly<Record<string, string>> = {}) {
  const host = process.env["WGCTL_TEST_HOST"] ?? "unix:///nonexistent/docker.sock";
  return { PATH: process.env["PATH"], HOME: home, DOCKER_HOST: host, ...extra };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

/** Builds when a source is newer than the bundle, so that a test never runs yesterday's program. */
export async function ensureBuilt(): Promise<void> {
  if (modified(join(ROOT, "dist/wgctl.cjs")) >= newestSource()) return;
  const build = join(ROOT, "scripts/build.mjs");
  const code = await runShown(process.execPath, [build], { env: cleanEnvironment() });
  if (code !== 0) throw new Error("the build failed");
}

function newestSource(): number {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => modified(join(ROOT, "src", file))));
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
