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
      const id = await stage.start("steady", { restart });
      await stage.untilRun(id, "running");
      if (signal !== undefined) await stop(id, signal);
      return id;
    };
    const revived = {
      runningAlways: await make("always"),
      runningUnlessStopped: await make("unless-stopped"),
      stoppedAlways: await make("always", "SIGTERM"),
      killedOnFailure: await make("on-failure", "SIGKILL"),
    };
    const left = {
      createdAlways: await stage.create("steady", { restart: "always" }),
      runningNo: await make("no"),
      runningOnFailure: await make("on-failure"),
      stoppedUnlessStopped: await make("unless-stopped", "SIGTERM"),
      disarmed: await make("always", "SIGTERM"),
    };
    await stage.engine.setRestartPolicy(left.disarmed, "no", never);
    await stage.hands.restartEngine();
    for (const id of Object.values(revived)) {
      expect(await stage.untilRun(id, "running")).toMatchObject({ restartCount: 0 });
    }
    for (const [what, id] of Object.entries(left)) {
      const { kind } = (await stage.facts(id)).run;
      expect({ [what]: kind }).toEqual({
        [what]: what === "createdAlways" ? "created" : "exited",
      });
    }
  });
}
