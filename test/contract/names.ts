// The contract's part on names: who has one, who cannot have it, and how it changes.

import { describe, expect } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { never, type Stage, testOn } from "./stage.ts";

export function names(open: OpenFixture): void {
  const it = testOn(open);

  describe("a name", () => {
    it("is the container's, and a look-up by it finds it", async ({ stage }) => {
      const name = stage.newName();
      const id = await stage.create("steady", { name });
      const found = await stage.engine.inspectWorker(name, never);
      expect(found?.facts).toMatchObject({ id, name });
      expect(found?.facts).toEqual(await stage.facts(id));
    });

    it("is taken once: a second create is a conflict that names it", async ({ stage }) => {
      const name = stage.newName();
      await stage.create("steady", { name });
      await expect(stage.create("steady", { name })).rejects.toMatchObject({
        code: "engine-conflict",
        message: expect.stringContaining(name),
      });
      expect(await stage.listed()).toHaveLength(1);
    });

    it("of many creates at once goes to exactly one", async ({ stage }) => {
      const name = stage.newName();
      const creates = Array.from({ length: 5 }, () => stage.create("steady", { name }));
      const results = await Promise.allSettled(creates);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await stage.listed()).toHaveLength(1);
    });

    it("is free again once its container is removed", async ({ stage }) => {
      const name = stage.newName();
      const id = await stage.create("steady", { name });
      await stage.engine.removeWorker(id, never);
      expect(await stage.create("steady", { name })).not.toBe(id);
    });

    it.for(["-begins-badly", "x", "a/b"])(
      "%j is no name a create may give",
      async (name, { stage }) => {
        await expect(stage.create("steady", { name })).rejects.toMatchObject({
          code: "engine-rejected",
        });
      },
    );

    it("held by somebody else is told with that one's labels", async ({ stage }) => {
      const name = stage.newName();
      const id = await stage.hands.runStranger(name, { who: "else" });
      const holders = await stage.engine.findHolders([name, stage.newName()], never);
      expect(Object.keys(holders)).toEqual([name]);
      expect(holders[name]).toMatchObject({ id, labels: { who: "else" } });
      await expect(stage.create("steady", { name })).rejects.toMatchObject({
        code: "engine-conflict",
      });
    });

    it("matters less than a missing image", async ({ stage }) => {
      const name = stage.newName();
      await stage.create("steady", { name });
      const again = stage.create("steady", { name, image: "wgctl-test-nothing:1" });
      await expect(again).rejects.toMatchObject({ code: "engine-not-found" });
    });
  });

  describe("a rename", () => {
    it.for(["created", "running", "paused", "exited"] as const)(
      "of a %s one",
      async (kind, { stage }) => {
        const id = await bring(stage, kind);
        const { name } = await stage.facts(id);
        await stage.engine.renameWorker(id, `${name}.stopping-1`, never);
        expect((await stage.facts(id)).name).toBe(`${name}.stopping-1`);
        expect(await stage.engine.inspectWorker(name, never)).toBeUndefined();
        expect(
          Object.keys(await stage.engine.findHolders([name, `${name}.stopping-1`], never)),
        ).toEqual([`${name}.stopping-1`]);
        await stage.create("steady", { name });
      },
    );

    async function bring(
      stage: Stage,
      kind: "created" | "running" | "paused" | "exited",
    ): Promise<string> {
      const id = await stage.create();
      if (kind === "created") return id;
      await stage.engine.startWorker(id, never);
      if (kind === "paused") await stage.hands.pause(id);
      if (kind === "exited") await stage.engine.signalWorker(id, "SIGKILL", never);
      await stage.untilRun(id, kind);
      return id;
    }

    it("to a taken name is a conflict that names it, and changes nothing", async ({ stage }) => {
      const taken = stage.newName();
      await stage.create("steady", { name: taken });
      const name = stage.newName();
      const id = await stage.create("steady", { name });
      await expect(stage.engine.renameWorker(id, taken, never)).rejects.toMatchObject({
        code: "engine-conflict",
        message: expect.stringContaining(taken),
      });
      expect((await stage.facts(id)).name).toBe(name);
    });

    it.for<[string, (own: string) => string]>([
      ["its own name", (own: string) => own],
      ["no name", () => "-begins-badly"],
    ])("to %s is rejected", async ([, target], { stage }) => {
      const id = await stage.create();
      const { name } = await stage.facts(id);
      await expect(stage.engine.renameWorker(id, target(name), never)).rejects.toMatchObject({
        code: "engine-rejected",
      });
      expect((await stage.facts(id)).name).toBe(name);
    });
  });
}
