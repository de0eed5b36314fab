// The contract's part on health: the verdict, the log behind it, and what a stop or a pause does to both.

import { describe, expect } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { never, testOn } from "./stage.ts";

export function health(open: OpenFixture): void {
  const it = testOn(open);

  describe("a health check", () => {
    it("begins as starting and becomes healthy with the first probe that passes", async ({
      stage,
    }) => {
      const id = await stage.start("mendable", { healthcheck: patiently(100) });
      const { run } = await stage.untilRun(id, "running");
      expect(run.health).toMatchObject({ status: "starting", retries: 100 });
      await stage.hands.mend(id);
      const mended = await stage.untilRun(id, "running", isStatus("healthy"));
      const last = mended.run.health?.log.at(-1);
      expect(last?.ok).toBe(true);
      expect(last?.finishedAt).toBeGreaterThan(last?.startedAt ?? Number.NaN);
    });

    it("becomes unhealthy after as many failures in a row as told, and healthy again", async ({
      stage,
    }) => {
      const id = await stage.start("mendable");
      const { run } = await stage.untilRun(id, "running", isStatus("unhealthy"));
      expect(run.health).toMatchObject({ retries: 2 });
      expect(run.health?.log.map(({ ok }) => ok).slice(0, 2)).toEqual([false, false]);
      await stage.hands.mend(id);
      await stage.untilRun(id, "running", isStatus("healthy"));
    });

    it("forgives failures in its start period", async ({ stage }) => {
      const id = await stage.start("patient");
      const { run } = await stage.untilRun(
        id,
        "running",
        ({ health: seen }) => (seen?.log.length ?? 0) >= 4,
      );
      expect(run.health?.status).toBe("starting");
    });

    it("keeps its last five probes, oldest first", async ({ stage }) => {
      const id = await stage.start("healthy");
      const { run: first } = await stage.untilRun(
        id,
        "running",
        ({ health: seen }) => seen?.log.length === 5,
      );
      const { run } = await stage.untilRun(
        id,
        "running",
        ({ health: seen }) =>
          (seen?.log[0]?.startedAt ?? 0) > (first.health?.log[0]?.startedAt ?? 0),
      );
      const times = run.health?.log.map(({ startedAt }) => startedAt) ?? [];
      expect(times).toHaveLength(5);
      expect(times).toEqual([...times].sort((one, other) => one - other));
      expect(times[0]).toBeGreaterThan(run.startedAt);
    });

    it("begins anew with a new process, with the log of the old one", async ({ stage }) => {
      const id = await stage.startListening("healthy", { healthcheck: patiently(1, "true", 0.5) });
      await stage.untilRun(id, "running", isStatus("healthy"));
      await stage.engine.signalWorker(id, "SIGTERM", never);
      await stage.untilRun(id, "exited");
      await stage.engine.startWorker(id, never);
      const { run } = await stage.untilRun(id, "running");
      expect(run.health?.status).toBe("starting");
      expect(run.health?.log[0]?.startedAt).toBeLessThan(run.startedAt);
    });

    it("calls a worker unhealthy that was paused, until its next probe", async ({ stage }) => {
      const id = await stage.start("healthy", { healthcheck: patiently(1, "true", 2) });
      await stage.untilRun(id, "running", isStatus("healthy"));
      await stage.hands.pause(id);
      await stage.hands.unpause(id);
      expect((await stage.untilRun(id, "running")).run.health?.status).toBe("unhealthy");
      await stage.untilRun(id, "running", isStatus("healthy"));
    });

    it("is absent where nothing checks", async ({ stage }) => {
      const id = await stage.start("unchecked");
      expect((await stage.untilRun(id, "running")).run).not.toHaveProperty("health");
    });
  });
}

const isStatus =
  (wanted: string) =>
  ({ health: seen }: { readonly health?: { readonly status: string } }): boolean =>
    seen?.status === wanted;

const patiently = (retries: number, test = "test -e /tmp/mended", interval = 0.2) => ({
  test: ["CMD-SHELL", test],
  ...{ interval, timeout: 5, retries },
});
