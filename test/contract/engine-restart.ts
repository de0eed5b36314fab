// The contract's part on the engine itself: whom it brings back when it starts again.

import { expect } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { never, testOn } from "./stage.ts";

export function engineRestart(open: OpenFixture): void {
  const it = testOn(open);

  it("revives what is armed, even what was stopped, and nothing else", async ({ stage }) => {
    const stop = async (id: string, signal: string) => {
      await stage.engine.signalWorker(id, signal, never);
      await stage.untilRun(id, "exited");
    };
    const make = async (restart: string, signal?: string) => {
      const id = await stage.startListening("steady", { restart });
      if (signal !== undefined) await stop(id, signal);
      return id;
    };
    const kinds = (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await stage.facts(id)).run.kind));
    const revived = await Promise.all([
      make("always"),
      make("unless-stopped"),
      make("always", "SIGTERM"),
      make("on-failure", "SIGKILL"),
    ]);
    const disarmed = await make("always", "SIGTERM");
    await stage.engine.setRestartPolicy(disarmed, "no", never);
    const left = await Promise.all([
      make("no"),
      make("on-failure"),
      make("unless-stopped", "SIGTERM"),
    ]);
    const neverStarted = await stage.create("steady", { restart: "always" });
    await stage.hands.restartEngine();
    for (const id of revived) {
      expect(await stage.untilRun(id, "running")).toMatchObject({ restartCount: 0 });
    }
    expect(await kinds([disarmed, ...left])).toEqual(["exited", "exited", "exited", "exited"]);
    expect(await kinds([neverStarted])).toEqual(["created"]);
  });
}
