// The demo's stage: a folder, an engine and a shell in which command lines are shown and really run.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, killQuietly, ROOT } from "../lib/process.mjs";

/** @typedef {import("./story.mjs").DemoEngine} DemoEngine */

export class Stage {
  /** @type {DemoEngine | undefined} */
  #engine;

  /** @param {AbortSignal} signal  Ends the command that runs, and the show. */
  constructor(signal) {
    this.signal = signal;
    this.folder = mkdtempSync(join(tmpdir(), "wgctl-demo-"));
    symlinkSync(join(ROOT, "bin/wgctl.js"), join(this.folder, "wgctl"));
    // a config of our own, so that nobody's context or credentials take part
    writeFileSync(join(this.folder, "config.json"), "{}");
    this.home = join(this.folder, "payments");
  }

  /** @param {DemoEngine} engine */
  enter(engine) {
    this.#engine = engine;
  }

  get engine() {
    if (this.#engine === undefined) throw new Error("no engine has entered the stage");
    return this.#engine;
  }

  /** @param {string} text */
  say(text) {
    process.stdout.write(`\n# ${text}\n`);
  }

  /**
   * Shows a command line, runs it in the project's folder, and throws unless it ends as expected.
   *
   * @param {string} line
   * @param {number} [expected]  Exit code.
   */
  async type(line, expected = 0) {
    this.signal.throwIfAborted();
    process.stdout.write(`$ ${line}\n`);
    const code = await this.#run(line);
    this.signal.throwIfAborted();
    if (code !== expected) throw new Error(`\`${line}\` ended with exit code ${code}`);
  }

  /**
   * Ends only when the command has, so that nothing is still at work when the stage is cleared.
   *
   * @param {string} line
   * @returns {Promise<number>}
   */
  #run(line) {
    const child = spawn("sh", ["-c", line], {
      cwd: this.home,
      env: this.#environment(),
      stdio: ["ignore", "inherit", "inherit"],
      detached: true, // a group of its own, to be stopped whole
    });
    const stop = () => child.pid !== undefined && killQuietly(-child.pid, "SIGTERM");
    this.signal.addEventListener("abort", stop);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        this.signal.removeEventListener("abort", stop);
        resolve(code ?? 1);
      });
    });
  }

  #environment() {
    return cleanEnvironment({
      PATH: `${this.folder}:${process.env["PATH"]}`,
      DOCKER_CONFIG: this.folder,
      ...this.engine.environment,
    });
  }

  /**
   * Throws, and so fails the demo, unless the claim holds.
   *
   * @param {boolean} holds
   * @param {string} claim
   */
  expect(holds, claim) {
    if (!holds) throw new Error(`not true: ${claim}`);
    process.stdout.write(`# checked: ${claim}\n`);
  }

  /** The demo's workers, sorted by name. */
  async workers() {
    return (await this.engine.workers()).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async running() {
    return (await this.workers()).filter(({ state }) => state === "running");
  }

  /** Removes what the engine was left with, and the folder. */
  async clear() {
    try {
      await this.#engine?.clear();
    } finally {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}
