// The contract's part on running containers that go on running: limits set in place, commands run inside, and what they
// have written.

import { describe, expect } from "vitest";
import type { ResourceLimits } from "../../src/core/observed.ts";
import type { OpenFixture } from "./fixture.ts";
import { never, testOn } from "./stage.ts";

const MB = 1024 ** 2;

export function inside(open: OpenFixture): void {
  const it = testOn(open);

  describe("limits", () => {
    it.for<[string, ResourceLimits, ResourceLimits]>([
      ["all raised", { cpus: 1, memory: 256 * MB, pids: 90 }, {}],
      ["CPUs alone", { cpus: 1 }, { memory: 64 * MB, pids: 50 }],
      ["memory alone", { memory: 512 * MB }, { cpus: 0.5, pids: 50 }],
      ["memory lowered", { memory: 48 * MB }, { cpus: 0.5, pids: 50 }],
      ["memory and swap", { memory: 128 * MB, swap: 160 * MB }, { cpus: 0.5, pids: 50 }],
      ["swap alone", { swap: 100 * MB }, { cpus: 0.5, memory: 64 * MB, pids: 50 }],
      ["no limit of swap", { swap: -1 }, { cpus: 0.5, memory: 64 * MB, pids: 50 }],
      ["processes alone", { pids: 70 }, { cpus: 0.5, memory: 64 * MB }],
    ])("of a running one are set in place: %s", async ([, wish, others], { stage }) => {
      const asked = { cpus: 0.5, mem_limit: 64 * MB, pids_limit: 50 };
      const id = await stage.start("steady", asked);
      const before = await stage.untilRun(id, "running");
      await stage.engine.updateLimits(id, wish, never);
      expect(await stage.facts(id)).toEqual({ ...before, limits: { ...others, ...wish } });
    });

    it("of swap are told where they are not what the engine takes by itself", async ({ stage }) => {
      const id = await stage.create("steady", { mem_limit: 64 * MB, memswap_limit: 80 * MB });
      expect((await stage.facts(id)).limits).toEqual({ memory: 64 * MB, swap: 80 * MB });
      await stage.engine.updateLimits(id, { memory: 96 * MB }, never);
      expect((await stage.facts(id)).limits).toEqual({ memory: 96 * MB });
    });

    it("are set where there were none, and before a start", async ({ stage }) => {
      const wish = { cpus: 0.5, memory: 64 * MB, pids: 50 };
      const id = await stage.create();
      await stage.engine.updateLimits(id, wish, never);
      expect((await stage.facts(id)).limits).toEqual(wish);
      await stage.engine.startWorker(id, never);
      await stage.untilRun(id, "running");
      await stage.engine.updateLimits(id, { memory: 128 * MB }, never);
      expect((await stage.facts(id)).limits).toEqual({ ...wish, memory: 128 * MB });
    });

    it("of one that has ended hold at its next start", async ({ stage }) => {
      const id = await stage.start("finishing", { mem_limit: 64 * MB });
      await stage.untilRun(id, "exited");
      await stage.engine.updateLimits(id, { memory: 128 * MB }, never);
      await stage.engine.startWorker(id, never);
      expect((await stage.facts(id)).limits).toEqual({ memory: 128 * MB });
    });

    it.for<[string, ResourceLimits]>([
      ["too little memory", { memory: 1 }],
      ["more CPUs than there are", { cpus: 10_000 }],
    ])("are rejected: %s", async ([, wish], { stage }) => {
      const id = await stage.start("steady", { cpus: 0.5, mem_limit: 64 * MB });
      await expect(stage.engine.updateLimits(id, wish, never)).rejects.toMatchObject({
        code: "engine-rejected",
      });
      expect((await stage.facts(id)).limits).toEqual({ cpus: 0.5, memory: 64 * MB });
    });

    it("of none are not found", async ({ stage }) => {
      await expect(
        stage.engine.updateLimits("0".repeat(64), { cpus: 1 }, never),
      ).rejects.toMatchObject({ code: "engine-not-found" });
    });
  });

  describe("a command in a worker", () => {
    it.for([
      ["true", 0],
      ["false", 1],
    ] as const)("%s ends with %i", async ([word, code], { stage }) => {
      const id = await stage.start();
      await stage.untilRun(id, "running");
      const before = await stage.facts(id);
      expect(await stage.engine.execInWorker(id, [word], never)).toBe(code);
      expect(await stage.facts(id)).toEqual(before);
    });

    it("that does not exist ends with 126 or 127", async ({ stage }) => {
      const id = await stage.start();
      await stage.untilRun(id, "running");
      const code = await stage.engine.execInWorker(id, ["/no/such/program"], never);
      expect([126, 127]).toContain(code);
    });

    it("asks anew each time", async ({ stage }) => {
      const id = await stage.startListening("quietable");
      await stage.untilRun(id, "running");
      const ask = () => stage.engine.execInWorker(id, ["test", "-e", "/tmp/idle"], never);
      expect(await ask()).toBe(1);
      await stage.engine.signalWorker(id, "SIGUSR2", never);
      await stage.until("it is idle", async () => (await ask()) === 0);
      expect((await stage.facts(id)).run.kind).toBe("running");
    });

    it.for(["created", "exited", "paused"] as const)(
      "is a conflict where it is %s",
      async (kind, { stage }) => {
        const id = await stage.create(kind === "exited" ? "finishing" : "steady");
        if (kind !== "created") await stage.engine.startWorker(id, never);
        if (kind === "paused") await stage.hands.pause(id);
        await stage.untilRun(id, kind);
        await expect(stage.engine.execInWorker(id, ["true"], never)).rejects.toMatchObject({
          code: "engine-conflict",
        });
      },
    );

    it("is not found where there is no container", async ({ stage }) => {
      await expect(
        stage.engine.execInWorker("0".repeat(64), ["true"], never),
      ).rejects.toMatchObject({ code: "engine-not-found" });
    });
  });

  describe("the log", () => {
    const LINES = ["one", "two", "three"];

    it("of one that crashed has the lines of both streams", async ({ stage }) => {
      const id = await stage.start("talkative");
      await stage.untilRun(id, "exited");
      const read = () => stage.engine.readLogs(id, 20, never);
      // The engine may write the last line down a moment after the end.
      await stage.until("its log is whole", async () => (await read()).length === LINES.length);
      expect(await read()).toEqual(LINES);
    });

    it("has the last lines where fewer are asked for, and goes on with the next run", async ({
      stage,
    }) => {
      const id = await stage.start("talkative");
      const read = (lines: number) => stage.engine.readLogs(id, lines, never);
      await stage.untilRun(id, "exited");
      await stage.until("its log is whole", async () => (await read(9)).length === 3);
      expect(await read(2)).toEqual(["two", "three"]);
      await stage.engine.startWorker(id, never);
      await stage.untilRun(id, "exited");
      await stage.until("its log is whole again", async () => (await read(9)).length === 6);
      expect(await read(4)).toEqual(["three", ...LINES]);
    });

    it("of one that never ran is empty", async ({ stage }) => {
      expect(await stage.engine.readLogs(await stage.create(), 20, never)).toEqual([]);
    });

    it("is empty where its driver cannot be read", async ({ stage }) => {
      const id = await stage.start("talkative", { logging: { driver: "none" } });
      await stage.untilRun(id, "exited");
      expect(await stage.engine.readLogs(id, 20, never)).toEqual([]);
    });

    it("of none is not found", async ({ stage }) => {
      await expect(stage.engine.readLogs("0".repeat(64), 20, never)).rejects.toMatchObject({
        code: "engine-not-found",
      });
    });
  });
}
