import { describe, expect, it } from "vitest";
import type { Life } from "../../../src/engine/simulated/script.ts";
import { never, openBench, SECOND } from "./bench.ts";

const CHECK = { healthcheck: { test: ["CMD", "true"], interval: 1, retries: 2 } };

/** What one worker does under a life, as a word at each of these seconds. */
async function words(
  life: Life,
  seconds: readonly number[],
  wish = {},
): Promise<readonly string[]> {
  const { engine, start, run } = openBench({ lives: [life] });
  const id = await start("mailer-1", wish);
  const began = engine.ticks();
  const seen: string[] = [];
  for (const second of seconds) {
    engine.advance(began + second * SECOND - engine.ticks());
    const facts = await run(id);
    if (facts?.kind === "exited")
      seen.push(`exited ${facts.exitCode}${facts.oomKilled ? " oom" : ""}`);
    else if (facts?.kind === "running") seen.push(facts.health?.status ?? "running");
    else seen.push(facts?.kind ?? "gone");
  }
  return seen;
}

describe("a life", () => {
  it.each<[string, Life, Record<string, unknown>, readonly number[], readonly string[]]>([
    ["of nothing special goes on", {}, {}, [0, 86_400], ["running", "running"]],
    ["ends with its code", { end: { after: 5, code: 7 } }, {}, [4.9, 5], ["running", "exited 7"]],
    ["ends well", { end: { after: 5 } }, {}, [5], ["exited 0"]],
    [
      "ends out of memory",
      { end: { after: 2, outOfMemory: true } },
      {},
      [1, 2],
      ["running", "exited 137 oom"],
    ],
    ["is ready at once", {}, CHECK, [0.5, 1.1], ["starting", "healthy"]],
    [
      "is ready late",
      { healthy: { from: 4 } },
      { healthcheck: { ...CHECK.healthcheck, start_period: 10 } },
      [3.9, 5.5],
      ["starting", "healthy"],
    ],
    [
      "is never ready",
      { healthy: "never" },
      CHECK,
      [1.5, 3, 600],
      ["starting", "unhealthy", "unhealthy"],
    ],
    ["falls ill", { healthy: { until: 4 } }, CHECK, [3, 7], ["healthy", "unhealthy"]],
    [
      "restarts after its end",
      { end: { after: 5, code: 1 } },
      { restart: "always" },
      [5, 5.2],
      ["restarting", "running"],
    ],
  ])("%s", async (_, life, wish, seconds, expected) => {
    expect(await words(life, seconds, wish)).toEqual(expected);
  });

  it.each<[string, Life["match"], boolean]>([
    ["nothing", undefined, true],
    ["its image", { image: "mailer:1" }, true],
    ["another image", { image: "mailer:2" }, false],
    ["part of its command", { command: "queue mail" }, true],
    ["another command", { command: "queue post" }, false],
    ["a label", { label: "dev.wgctl.uid" }, true],
    ["a label and its value", { label: "dev.wgctl.uid=u1" }, true],
    ["another value", { label: "dev.wgctl.uid=u" }, false],
    ["the beginning of its name", { name: "mailer-" }, true],
    ["one thing that holds and one that does not", { image: "mailer:1", name: "x" }, false],
  ])("is matched by %s", async (_, match, isMatched) => {
    const life: Life = { ...(match && { match }), end: { after: 1 } };
    const wish = { command: ["work", "--queue", "mail"], entrypoint: ["run"] };
    const command = { ...wish, command: ["work", "queue", "mail"] };
    expect(await words(life, [2], command)).toEqual([isMatched ? "exited 0" : "running"]);
  });

  it("that is matched first counts", async () => {
    const { start, engine, run } = openBench({
      lives: [{ match: { name: "b" }, end: { after: 1 } }, { end: { after: 3 } }],
    });
    const [a, b] = [await start("a-1"), await start("b-1")];
    engine.advance(2 * SECOND);
    expect([(await run(a))?.kind, (await run(b))?.kind]).toEqual(["running", "exited"]);
  });

  it("of the first starts only is over after them", async () => {
    const { start, engine, facts } = openBench({
      lives: [{ starts: 2, end: { after: 1, code: 1 } }],
    });
    const id = await start("mailer-1", { restart: "always" });
    engine.advance(60 * SECOND);
    expect(await facts(id)).toMatchObject({ restartCount: 2, run: { kind: "running" } });
  });

  it("that cannot start says so, as often as told", async () => {
    const refuse = { code: "engine-failed", message: "no device" } as const;
    const { create, engine, run } = openBench({ lives: [{ starts: 1, refuse }] });
    const id = await create();
    await expect(engine.startWorker(id, never)).rejects.toMatchObject({
      code: "engine-failed",
      message: expect.stringContaining("no device"),
    });
    expect(await run(id)).toEqual({ kind: "created", error: "no device", exitCode: 128 });
    await engine.startWorker(id, never);
    expect(await run(id)).toMatchObject({ kind: "running" });
  });
});

describe("a stop signal", () => {
  it.each<[string, Life, number, string]>([
    ["ends it", {}, 0.1, "exited 0"],
    ["ends it in its own time, not yet", { stop: { after: 3, code: 5 } }, 2.9, "running"],
    ["ends it in its own time", { stop: { after: 3, code: 5 } }, 3, "exited 5"],
    ["is ignored", { stop: "ignore" }, 3600, "running"],
    [
      "does not put off an end that comes sooner",
      { stop: { after: 30 }, end: { after: 2, code: 1 } },
      2,
      "exited 1",
    ],
  ])("%s", async (_, life, seconds, expected) => {
    const { engine, start, run } = openBench({ lives: [life] });
    const id = await start();
    await engine.signalWorker(id, "SIGTERM", never);
    engine.advance(seconds * SECOND);
    const facts = await run(id);
    expect(facts?.kind === "exited" ? `exited ${facts.exitCode}` : facts?.kind).toBe(expected);
  });
});
