// What runs inside simulated workers: scripted commands, quiet, logs, and limits that are set in place.

import { describe, expect, it } from "vitest";
import type { Command, Life } from "../../../src/engine/simulated/script.ts";
import { never, openBench, SECOND } from "./bench.ts";

/** A worker of that life, and what a command in it comes to. */
async function bench(life: Life, wish = {}) {
  const opened = openBench({ lives: [life] });
  const id = await opened.start("mailer-1", wish);
  const ask = (...argv: readonly string[]) => opened.engine.execInWorker(id, argv, never);
  const signal = (name: string) => opened.engine.signalWorker(id, name, never);
  return { ...opened, id, ask, signal };
}

describe("a command", () => {
  it.each<[string, Command, number]>([
    ["ends with 0 unless told", {}, 0],
    ["ends as told", { code: 7 }, 7],
    ["ends otherwise after a while", { code: 1, later: { after: 5, code: 0 } }, 0],
    ["not before", { code: 1, later: { after: 6, code: 0 } }, 1],
    ["not before it is quiet", { code: 1, later: { since: "quiet", after: 0, code: 0 } }, 1],
  ])("%s", async (_, command, code) => {
    const { engine, ask } = await bench({ commands: { "bin/idle": command } });
    engine.advance(5 * SECOND);
    expect(await ask("bin/idle", "--now")).toBe(code);
    expect(await ask("other")).toBe(0);
  });

  it("knows no command by a name that every object has", async () => {
    const { ask } = await bench({ commands: { "bin/idle": { code: 1 } } });
    expect(await ask("toString")).toBe(0);
    expect(await ask()).toBe(0);
  });

  it("that hangs takes the whole deadline, and the world goes on", async () => {
    const { engine, ask } = await bench({ commands: { "bin/idle": { hangs: true } } });
    const before = engine.ticks();
    await expect(ask("bin/idle")).rejects.toMatchObject({ code: "engine-timeout" });
    expect(engine.ticks() - before).toBe(30 * SECOND);
  });

  it("is lost to a fault like any call", async () => {
    const { world, ask } = await bench({});
    const effect = { kind: "fail-before", code: "engine-unreachable" } as const;
    world.faults.push({ call: "execInWorker", on: "mailer-1", effect });
    await expect(ask("bin/idle")).rejects.toMatchObject({ code: "engine-unreachable" });
    expect(await ask("bin/idle")).toBe(0);
  });
});

describe("quiet", () => {
  const commands = {
    "bin/idle": { code: 1, later: { since: "quiet", after: 3, code: 0 } },
    "bin/quiet": { quiets: true },
  } as const;

  it.each(["SIGTSTP", "SIGUSR1", "bin/quiet"])("by %s begins once", async (by) => {
    const { engine, ask, signal, run, id } = await bench({ commands });
    const tell = () => (by.startsWith("SIG") ? signal(by) : ask(by));
    await tell();
    engine.advance(2 * SECOND);
    await tell();
    expect(await ask("bin/idle")).toBe(1);
    engine.advance(1 * SECOND);
    expect(await ask("bin/idle")).toBe(0);
    expect(await run(id)).toMatchObject({ kind: "running" });
  });

  it("lets it end by itself where its life says so", async () => {
    const { engine, signal, run, id } = await bench({ quiet: { after: 90, code: 4 } });
    await signal("SIGTSTP");
    engine.advance(89 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "running" });
    engine.advance(1 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "exited", exitCode: 4 });
  });

  it("survives a pause, and not a start", async () => {
    const { engine, ask, signal, id } = await bench({ commands });
    await signal("SIGTSTP");
    await signal("SIGTERM");
    engine.advance(1 * SECOND);
    await engine.startWorker(id, never);
    engine.advance(10 * SECOND);
    expect(await ask("bin/idle")).toBe(1);
  });

  it("is not what a stop signal tells", async () => {
    const { engine, ask, signal } = await bench({ commands, stop: "ignore" });
    await signal("SIGTERM");
    engine.advance(10 * SECOND);
    expect(await ask("bin/idle")).toBe(1);
  });
});

describe("a log", () => {
  it("has what each life wrote, one that could not start nothing", async () => {
    const refuse = { code: "engine-failed", message: "no" } as const;
    const { engine, create } = openBench({
      lives: [
        { starts: 1, log: ["first"], end: { after: 1, code: 1 } },
        { starts: 2, refuse, log: ["never"] },
        { log: ["third", "and on"] },
      ],
    });
    const id = await create();
    const read = (lines = 20) => engine.readLogs(id, lines, never);
    expect(await read()).toEqual([]);
    await engine.startWorker(id, never);
    engine.advance(2 * SECOND);
    await engine.startWorker(id, never).catch(() => undefined);
    expect(await read()).toEqual(["first"]);
    await engine.startWorker(id, never);
    expect(await read()).toEqual(["first", "third", "and on"]);
    expect(await read(1)).toEqual(["and on"]);
  });
});

describe("limits that are set", () => {
  it("count for what a host has", async () => {
    const { engine, start } = openBench({ capacity: { cpus: 2 } });
    const id = await start("mailer-1", { cpus: 0.5 });
    await engine.updateLimits(id, { cpus: 1.5 }, never);
    await expect(start("mailer-2", { cpus: 1 })).rejects.toMatchObject({ code: "engine-failed" });
    await start("mailer-3", { cpus: 0.5 });
  });

  it("do not go away by a 0, as on Docker", async () => {
    const { engine, facts, id } = await bench({}, { cpus: 1 });
    await engine.updateLimits(id, { cpus: 0 }, never);
    expect((await facts(id))?.limits).toEqual({ cpus: 1 });
  });

  it("are none for what says that there is none", async () => {
    const { facts, id } = await bench({}, { pids_limit: -1 });
    expect((await facts(id))?.limits).toEqual({});
  });
});
