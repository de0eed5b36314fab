// The contract's part on processes: how they start, why they do not, and how they end.

import { describe, expect } from "vitest";
import type { Template } from "../../src/core/template.ts";
import type { OpenFixture } from "./fixture.ts";
import { never, testOn } from "./stage.ts";

export function processes(open: OpenFixture): void {
  const it = testOn(open);
  const port = (published?: string) => ({
    ports: [{ target: 80, protocol: "tcp" as const, ...(published && { published }) }],
  });

  describe("a start", () => {
    it("of a new container runs it; once more is success", async ({ stage }) => {
      const id = await stage.create();
      expect((await stage.facts(id)).run).toEqual({ kind: "created" });
      await stage.engine.startWorker(id, never);
      const { run } = await stage.untilRun(id, "running");
      await stage.engine.startWorker(id, never);
      expect((await stage.facts(id)).run).toEqual(run);
      expect(run.startedAt).toBeGreaterThan(0);
      expect(run.health).toBeUndefined();
    });

    it("of an ended one begins a new process", async ({ stage }) => {
      const id = await stage.startListening();
      const first = await stage.untilRun(id, "running");
      await stage.engine.signalWorker(id, "SIGTERM", never);
      const ended = await stage.untilRun(id, "exited");
      await stage.engine.startWorker(id, never);
      const second = await stage.untilRun(id, "running");
      expect(second.run.startedAt).toBeGreaterThan(first.run.startedAt);
      expect(second.run.startedAt).toBeGreaterThanOrEqual(ended.run.finishedAt);
    });

    it("of a paused one is a conflict", async ({ stage }) => {
      const id = await stage.start();
      await stage.hands.pause(id);
      await expect(stage.engine.startWorker(id, never)).rejects.toMatchObject({
        code: "engine-conflict",
      });
    });

    it("that its command makes impossible is rejected and leaves the error, again and again", async ({
      stage,
    }) => {
      const id = await stage.create("senseless");
      for (const _ of [1, 2]) {
        await expect(stage.engine.startWorker(id, never)).rejects.toMatchObject({
          code: "engine-rejected",
        });
        const error = expect.stringContaining("/no/such/program");
        expect((await stage.facts(id)).run).toEqual({ kind: "created", error, exitCode: 127 });
      }
    });

    it("without its network is not found and leaves the error", async ({ stage }) => {
      const id = await stage.create("steady", { networks: { [`${stage.run}-none`]: {} } });
      await expect(stage.engine.startWorker(id, never)).rejects.toMatchObject({
        code: "engine-not-found",
      });
      const error = expect.stringContaining(`${stage.run}-none`);
      expect((await stage.facts(id)).run).toEqual({ kind: "created", error, exitCode: 128 });
    });

    it("on a port that is taken fails, leaves the error, and works once the port is free", async ({
      stage,
    }) => {
      const holder = await stage.start("steady", port("47113"));
      const id = await stage.create("steady", port("47113"));
      await expect(stage.engine.startWorker(id, never)).rejects.toMatchObject({
        code: "engine-failed",
      });
      const error = expect.stringContaining("47113");
      expect((await stage.facts(id)).run).toEqual({ kind: "created", error, exitCode: 128 });
      await stage.engine.signalWorker(holder, "SIGKILL", never);
      await stage.untilRun(holder, "exited");
      await stage.engine.startWorker(id, never);
      await stage.untilRun(id, "running");
    });

    it.for([
      ["SIGKILL", 137, "47114"],
      ["SIGTERM", 128, "47115"],
    ] as const)(
      "of one that ended by %s, refused, leaves it ended with code %i and the error",
      async ([signal, exitCode, published], { stage }) => {
        const id = await stage.startListening("steady", port(published));
        await stage.untilRun(id, "running");
        await stage.engine.signalWorker(id, signal, never);
        await stage.untilRun(id, "exited");
        await stage.start("steady", port(published));
        await expect(stage.engine.startWorker(id, never)).rejects.toMatchObject({
          code: "engine-failed",
        });
        const error = expect.stringContaining(published);
        expect((await stage.facts(id)).run).toMatchObject({ kind: "exited", exitCode, error });
      },
    );

    it("lets the engine pick a port where none is named", async ({ stage }) => {
      const ids = [await stage.start("steady", port()), await stage.start("steady", port())];
      for (const id of ids) await stage.untilRun(id, "running");
    });
  });

  describe("an end", () => {
    it("by its stop signal has the process's own code", async ({ stage }) => {
      const id = await stage.startListening();
      const { run } = await stage.untilRun(id, "running");
      await stage.engine.signalWorker(id, "SIGTERM", never);
      const ended = await stage.untilRun(id, "exited");
      expect(ended.run).toMatchObject({ startedAt: run.startedAt, exitCode: 0, oomKilled: false });
      expect(ended.run.finishedAt).toBeGreaterThanOrEqual(run.startedAt);
      expect(ended.run).not.toHaveProperty("error");
    });

    it("by a kill is 137, whatever it makes of its stop signal", async ({ stage }) => {
      const id = await stage.startListening("deaf");
      await stage.engine.signalWorker(id, "SIGTERM", never);
      expect((await stage.after(500, id)).run.kind).toBe("running");
      await stage.engine.signalWorker(id, "SIGKILL", never);
      expect((await stage.untilRun(id, "exited")).run).toMatchObject({
        exitCode: 137,
        oomKilled: false,
      });
    });

    it("takes the time it takes after the stop signal", async ({ stage }) => {
      const id = await stage.startListening("slow");
      await stage.untilRun(id, "running");
      await stage.engine.signalWorker(id, "SIGTERM", never);
      expect((await stage.facts(id)).run.kind).toBe("running");
      await stage.untilRun(id, "exited");
    });

    it.for([
      ["failing", 3],
      ["finishing", 0],
    ] as const)("by itself, %s, has exit code %i", async ([kind, exitCode], { stage }) => {
      const id = await stage.start(kind);
      expect((await stage.untilRun(id, "exited")).run).toMatchObject({ exitCode });
    });

    it("out of memory is 137 and says so", async ({ stage }) => {
      const id = await stage.start("hungry");
      expect((await stage.untilRun(id, "exited")).run).toMatchObject({
        exitCode: 137,
        oomKilled: true,
      });
    });

    it("by its stop signal comes to a paused one too", async ({ stage }) => {
      const id = await stage.startListening();
      await stage.untilRun(id, "running");
      await stage.hands.pause(id);
      expect((await stage.untilRun(id, "paused")).run.startedAt).toBeGreaterThan(0);
      await stage.engine.signalWorker(id, "SIGTERM", never);
      await stage.untilRun(id, "exited");
    });
  });

  describe("a create is rejected", () => {
    it.for<[string, Partial<Template>]>([
      ["for too little memory", { mem_limit: 1 }],
      ["for more CPUs than there are", { cpus: 10_000 }],
      ["for a signal that is none", { stop_signal: "SIGNONE" }],
      ["for a restart policy that is none", { restart: "sometimes" }],
      [
        "for a health check that never rests",
        { healthcheck: { test: ["CMD", "true"], interval: 1e-6 } },
      ],
    ])("%s", async ([, wish], { stage }) => {
      await expect(stage.create("steady", wish)).rejects.toMatchObject({
        code: "engine-rejected",
      });
      expect(await stage.listed()).toEqual([]);
    });
  });

  describe("a removal", () => {
    it("of what has ended makes it gone; once more is success", async ({ stage }) => {
      const id = await stage.start("finishing");
      await stage.untilRun(id, "exited");
      await stage.engine.removeWorker(id, never);
      expect(await stage.engine.inspectWorker(id, never)).toBeUndefined();
      expect(await stage.listed()).toEqual([]);
      await stage.engine.removeWorker(id, never);
    });

    it.for(["running", "paused"] as const)("of a %s one is a conflict", async (kind, { stage }) => {
      const id = await stage.start();
      if (kind === "paused") await stage.hands.pause(id);
      await stage.untilRun(id, kind);
      await expect(stage.engine.removeWorker(id, never)).rejects.toMatchObject({
        code: "engine-conflict",
      });
      expect(await stage.listed()).toHaveLength(1);
    });
  });
}
