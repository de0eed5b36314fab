// The contract's part on restart policies: what the engine starts again by itself, and what keeps it from doing so.

import { describe, expect } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { never, type Stage, testOn } from "./stage.ts";

/** Long enough for several of the engine's first restarts. */
const A_WHILE_MS = 800;

export function restarts(open: OpenFixture): void {
  const it = testOn(open);

  /** A crash loop seen at the beginning of a wait of 3.2 s, which is long enough for a few calls on a busy machine. */
  async function loop(stage: Stage): Promise<string> {
    const id = await stage.start("failing", { restart: "always" });
    await stage.untilRun(id, "restarting", (_, { restartCount }) => restartCount === 6);
    return id;
  }

  describe("a crash loop", () => {
    it("is restarting with the last exit code, counts, and waits longer each time", async ({
      stage,
    }) => {
      const id = await stage.start("failing", { restart: "always" });
      const began = stage.clock();
      const { run } = await stage.untilRun(
        id,
        "restarting",
        (_, { restartCount }) => restartCount > 4,
      );
      expect(run).toMatchObject({ exitCode: 3 });
      expect(run.startedAt).toBeGreaterThan(0);
      // 100, 200, 400 and 800 ms
      expect(stage.clock() - began).toBeGreaterThan(1400);
    });

    it("cannot be removed while it waits, and needs no start", async ({ stage }) => {
      const id = await loop(stage);
      const before = await stage.facts(id);
      await expect(stage.engine.removeWorker(id, never)).rejects.toMatchObject({
        code: "engine-conflict",
      });
      await stage.engine.startWorker(id, never);
      expect(await stage.facts(id)).toEqual(before);
    });

    // Docker 20.10 refuses it, 28 does not: nobody may rely on either.
    it("keeps its name while it waits, or is renamed", async ({ stage }) => {
      const id = await loop(stage);
      const { name } = await stage.facts(id);
      const renamed = stage.engine.renameWorker(id, `${name}.stopping-1`, never);
      const called = await renamed.then(
        () => `${name}.stopping-1`,
        (error: unknown) => {
          expect(error).toMatchObject({ code: "engine-not-found" });
          return name;
        },
      );
      expect((await stage.facts(id)).name).toBe(called);
    });

    it.for(["SIGTERM", "SIGKILL"])(
      "ends at once by %s, untold by the history, and counts from 0 with the next start",
      async (signal, { stage }) => {
        const id = await loop(stage);
        const { now } = await stage.engine.listWorkers(never);
        await stage.engine.signalWorker(id, signal, never);
        expect((await stage.facts(id)).run).toMatchObject({ kind: "exited", exitCode: 3 });
        expect(await stage.engine.findSignalled([id], now, never)).toEqual([]);
        await stage.engine.startWorker(id, never);
        expect((await stage.facts(id)).restartCount).toBeLessThan(6);
      },
    );

    it("ends after its next try when it is disarmed", async ({ stage }) => {
      const id = await loop(stage);
      const { restartCount } = await stage.facts(id);
      await stage.engine.setRestartPolicy(id, "no", never);
      const ended = await stage.untilRun(id, "exited");
      expect(ended).toMatchObject({ restartPolicy: "no", restartCount });
    });
  });

  describe("the policy", () => {
    it.for([
      ["failing", "no", 0],
      ["failing", "on-failure:2", 2],
      ["finishing", "on-failure", 0],
    ] as const)(
      "of a %s one, %s, gives up after %i restarts",
      async ([kind, restart, restartCount], { stage }) => {
        const id = await stage.start(kind, { restart });
        await stage.untilRun(id, "exited");
        expect(await stage.after(A_WHILE_MS, id)).toMatchObject({
          restartCount,
          restartPolicy: restart,
          run: { kind: "exited" },
        });
      },
    );

    it.for([
      ["failing", "always"],
      ["finishing", "always"],
      ["failing", "unless-stopped"],
      ["failing", "on-failure"],
    ] as const)("of a %s one, %s, restarts it", async ([kind, restart], { stage }) => {
      const id = await stage.start(kind, { restart });
      await stage.untilRun(id, "restarting", (_, { restartCount }) => restartCount > 1);
    });

    it("can be changed while it runs: armed it comes back, disarmed it does not", async ({
      stage,
    }) => {
      const id = await stage.startListening("crashable");
      await stage.engine.setRestartPolicy(id, "always", never);
      await stage.hands.crash(id);
      await stage.untilRun(id, "running", (_, { restartCount }) => restartCount === 1);
      await stage.engine.setRestartPolicy(id, "no", never);
      await stage.hands.listens(id);
      await stage.hands.crash(id);
      const { run } = await stage.untilRun(id, "exited");
      expect(run).toMatchObject({ exitCode: 4 });
      expect((await stage.after(A_WHILE_MS, id)).run.kind).toBe("exited");
    });

    it("that is none is rejected and changes nothing", async ({ stage }) => {
      const id = await stage.create("steady", { restart: "on-failure:5" });
      await expect(stage.engine.setRestartPolicy(id, "sometimes", never)).rejects.toMatchObject({
        code: "engine-rejected",
      });
      expect((await stage.facts(id)).restartPolicy).toBe("on-failure:5");
    });
  });

  describe("a signal", () => {
    it.for([
      ["the default one", "steady", {}, "SIGTERM"],
      ["its own", "steady", { stop_signal: "SIGINT" }, "SIGINT"],
      ["an unusual one of its own", "crashable", { stop_signal: "SIGUSR1" }, "SIGUSR1"],
      ["a kill", "steady", { stop_signal: "SIGINT" }, "SIGKILL"],
    ] as const)(
      "to stop, %s, is not followed by a restart",
      async ([, kind, wish, signal], { stage }) => {
        const id = await stage.startListening(kind, { restart: "always", ...wish });
        await stage.untilRun(id, "running");
        await stage.engine.signalWorker(id, signal, never);
        await stage.untilRun(id, "exited");
        const { run, restartCount } = await stage.after(A_WHILE_MS, id);
        expect({ kind: run.kind, restartCount }).toEqual({ kind: "exited", restartCount: 0 });
      },
    );

    it.for(["always", "unless-stopped"])(
      "is forgotten with the next start by hand, under %s",
      async (restart, { stage }) => {
        const id = await stage.startListening("crashable", { restart });
        await stage.engine.signalWorker(id, "SIGTERM", never);
        await stage.untilRun(id, "exited");
        await stage.engine.startWorker(id, never);
        await stage.hands.listens(id);
        await stage.hands.crash(id);
        await stage.untilRun(id, "running", (_, { restartCount }) => restartCount === 1);
      },
    );

    it.for([
      ["none set, goes on", {}, "running"],
      ["another one set, stays", { stop_signal: "SIGTERM" }, "paused"],
    ] as const)("to a paused one, with a stop signal: %s", async ([, wish, kind], { stage }) => {
      const id = await stage.start("steady", wish);
      await stage.hands.pause(id);
      await stage.untilRun(id, "paused");
      await stage.engine.signalWorker(id, "SIGWINCH", never);
      expect((await stage.after(A_WHILE_MS, id)).run.kind).toBe(kind);
    });

    it("of any kind calls off later restarts where no stop signal is set", async ({ stage }) => {
      const id = await stage.startListening("crashable", { restart: "always" });
      await stage.engine.signalWorker(id, "SIGWINCH", never);
      await stage.hands.crash(id);
      await stage.untilRun(id, "exited");
      expect((await stage.after(A_WHILE_MS, id)).run.kind).toBe("exited");
    });

    it("of another kind than the stop signal that is set does not", async ({ stage }) => {
      const id = await stage.startListening("crashable", {
        restart: "always",
        stop_signal: "SIGTERM",
      });
      await stage.engine.signalWorker(id, "SIGWINCH", never);
      await stage.hands.crash(id);
      await stage.untilRun(id, "running", (_, { restartCount }) => restartCount === 1);
    });

    it("that is none is rejected", async ({ stage }) => {
      const id = await stage.start();
      await expect(stage.engine.signalWorker(id, "SIGNONE", never)).rejects.toMatchObject({
        code: "engine-rejected",
      });
    });

    it("to what does not run is a conflict", async ({ stage }) => {
      const id = await stage.create();
      const conflict = { code: "engine-conflict" };
      await expect(stage.engine.signalWorker(id, "SIGTERM", never)).rejects.toMatchObject(conflict);
      const ended = await stage.start("finishing");
      await stage.untilRun(ended, "exited");
      await expect(stage.engine.signalWorker(ended, "SIGTERM", never)).rejects.toMatchObject(
        conflict,
      );
    });
  });
}
