// The contract's part on reading: that what was written is what is read, to the byte, and nothing else.

import { describe, expect } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { never, testOn } from "./stage.ts";

const MIB = 1024 ** 2;

export function reads(open: OpenFixture): void {
  const it = testOn(open);

  it("identifies the engine, the same each time", async ({ stage }) => {
    const identity = await stage.engine.identify(never);
    expect(identity).toEqual(await stage.engine.identify(never));
    expect(identity.id).not.toBe("");
    expect(identity.version).not.toBe("");
    expect(identity.cpus).toBeGreaterThan(0);
    expect(identity.memory).toBeGreaterThan(1e6);
  });

  it("has the engine's clock, to the second", async ({ stage }) => {
    const id = await stage.start();
    const { startedAt } = (await stage.untilRun(id, "running")).run;
    const clocks = [
      (await stage.engine.listWorkers(never)).now,
      (await stage.engine.inspectWorker(id, never))?.now ?? Number.NaN,
    ];
    for (const now of clocks) {
      expect(now % 1000).toBe(0);
      expect(now).toBeGreaterThan(startedAt - 2000);
      expect(now).toBeLessThan(startedAt + 60_000);
    }
  });

  it("reads back all that a worker was made of", async ({ stage }) => {
    const name = stage.newName();
    const id = await stage.create("steady", {
      name,
      restart: "on-failure:5",
      stop_signal: "usr1",
      stop_grace_period: 44.2,
      ...{ cpus: 0.5, mem_limit: 64 * 1024 ** 2, pids_limit: 50 },
    });
    const facts = await stage.facts(id);
    const { [stage.image]: image } = await stage.engine.resolveImages([stage.image], never);
    expect(facts).toEqual({
      ...{ id, name, imageId: image?.id, labels: stage.labels(name), run: { kind: "created" } },
      ...{ restartCount: 0, restartPolicy: "on-failure:5", networks: ["bridge"] },
      limits: { cpus: 0.5, memory: 64 * 1024 ** 2, pids: 50 },
      ...{ stopSignal: "SIGUSR1", stopTimeout: 45, createdAt: expect.any(Number) },
    });
    expect(await stage.listed()).toEqual([facts]);
  });

  it("reads what a worker was asked for, with what was set since", async ({ stage }) => {
    const name = stage.newName();
    const template = {
      ...{ image: stage.image, command: ["worker", "--fast"], environment: { QUEUE: "mail" } },
      ...{ stop_signal: "SIGUSR1", cpus: 0.5, mem_limit: 64 * MIB, memswap_limit: 80 * MIB },
      ...{ cap_drop: ["ALL"], extra_hosts: { db: ["10.0.0.2"] }, platform: "linux/amd64" },
    };
    const labels = { ...stage.labels(name), team: "growth" };
    const id = await stage.engine.createWorker({ name, labels, template }, never);
    const { platform: _, ...remembered } = template;
    const read = await stage.engine.readTemplate(name, never);
    expect(read).toEqual({ ...remembered, labels: expect.objectContaining({ team: "growth" }) });
    expect(Object.keys(read?.labels ?? {})).not.toContain("dev.wgctl.uid");
    await stage.engine.setRestartPolicy(id, "always", never);
    await stage.engine.updateLimits(id, { cpus: 0.25 }, never);
    expect(await stage.engine.readTemplate(id, never)).toMatchObject({
      ...{ restart: "always", cpus: 0.25 },
    });
  });

  it("reads secrets and configs as the binds that they are", async ({ stage }) => {
    const file = { file: "/etc/hostname", target: "/run/secrets/token", content: "d" };
    const id = await stage.create("steady", { secrets: [file] });
    const { volumes } = (await stage.engine.readTemplate(id, never)) ?? {};
    expect(volumes).toEqual([
      {
        ...{ type: "bind", source: "/etc/hostname", target: "/run/secrets/token" },
        ...{ read_only: true, create_host_path: false },
      },
    ]);
  });

  it("reads what somebody else's container was asked for, and nothing of one that is not there", async ({
    stage,
  }) => {
    const name = stage.newName();
    const id = await stage.hands.runStranger(name, { mine: "yes" });
    const read = await stage.engine.readTemplate(id, never);
    expect(read).toEqual({
      image: stage.image,
      labels: expect.objectContaining({ mine: "yes" }),
    });
    expect(await stage.engine.readTemplate(name, never)).toEqual(read);
    expect(await stage.engine.readTemplate(id.slice(0, 20), never)).toBeUndefined();
    expect(await stage.engine.readTemplate(stage.newName(), never)).toBeUndefined();
  });

  it("leaves out what a worker was not told", async ({ stage }) => {
    const facts = await stage.facts(await stage.create());
    expect(facts).toMatchObject({ restartPolicy: "no", limits: {} });
    expect(facts).not.toHaveProperty("stopSignal");
    expect(facts).not.toHaveProperty("stopTimeout");
  });

  it("keeps labels to the byte, however long", async ({ stage }) => {
    const name = stage.newName();
    const labels = {
      ...stage.labels(name),
      "dev.wgctl.template": `{"blank":"  ","line":"a\\nb","sign":"ä€😀\u0001"}${"x".repeat(100_000)}`,
      "free.form/label": "",
    };
    const request = { name, labels, template: { image: stage.image } };
    const id = await stage.engine.createWorker(request, never);
    expect((await stage.facts(id)).labels).toEqual(labels);
    expect((await stage.listed())[0]?.labels).toEqual(labels);
  });

  it("lists ours alone, whatever they do, and forgets what is removed", async ({ stage }) => {
    const stranger = await stage.hands.runStranger(stage.newName());
    const ids = [await stage.create(), await stage.start(), await stage.start("failing")];
    await stage.untilRun(ids[2] ?? "", "exited");
    const seen = (await stage.listed()).map(({ id }) => id);
    expect([...seen].sort()).toEqual([...ids].sort());
    const { workers } = await stage.engine.listWorkers(never);
    expect(workers.map(({ id }) => id)).not.toContain(stranger);
    await stage.hands.removeByForce(ids[1] ?? "");
    expect(await stage.listed()).toHaveLength(2);
    expect(await stage.engine.inspectWorker(ids[1] ?? "", never)).toBeUndefined();
  });

  it("lists those whose labels are meant, and no other", async ({ stage }) => {
    const name = stage.newName();
    const meant = await stage.create("steady", { name });
    await stage.create();
    const { workers } = await stage.engine.listWorkers(
      never,
      (labels) => labels["dev.wgctl.name"] === name,
    );
    expect(workers.map(({ id }) => id)).toEqual([meant]);
    expect((await stage.engine.listWorkers(never, () => false)).workers).toEqual([]);
  });

  it("takes an id or a whole name, and not the beginning of one", async ({ stage }) => {
    const name = stage.newName();
    const id = await stage.create("steady", { name });
    expect((await stage.engine.inspectWorker(id, never))?.facts.id).toBe(id);
    expect(await stage.engine.inspectWorker(id.slice(0, 20), never)).toBeUndefined();
    expect(await stage.engine.inspectWorker(name.slice(0, -1), never)).toBeUndefined();
    expect(await stage.engine.findHolders([id.slice(0, 20)], never)).toEqual({});
  });

  it("finds the id that a person means by a name, an id, or the beginning of one", async ({
    stage,
  }) => {
    const name = stage.newName();
    const id = await stage.create("steady", { name });
    const meant = [name, id, id.slice(0, 20), name.slice(0, -1), "f".repeat(64)];
    const found = await Promise.all(meant.map((each) => stage.engine.findId(each, never)));
    expect(found).toEqual([id, id, id, undefined, undefined]);
  });

  it("finds nothing under an id that is not there, except to remove it", async ({ stage }) => {
    const id = "f".repeat(64);
    const notFound = { code: "engine-not-found" };
    const { engine } = stage;
    await expect(engine.startWorker(id, never)).rejects.toMatchObject(notFound);
    await expect(engine.renameWorker(id, stage.newName(), never)).rejects.toMatchObject(notFound);
    await expect(engine.signalWorker(id, "SIGTERM", never)).rejects.toMatchObject(notFound);
    await expect(engine.setRestartPolicy(id, "no", never)).rejects.toMatchObject(notFound);
    await engine.removeWorker(id, never);
    expect(await engine.inspectWorker(id, never)).toBeUndefined();
  });

  it("says that a call which was called off was called off, and the engine goes on", async ({
    stage,
  }) => {
    const controller = new AbortController();
    const listing = stage.engine.listWorkers(controller.signal);
    controller.abort();
    await expect(listing).rejects.toMatchObject({ code: "aborted" });
    await expect(stage.engine.listWorkers(controller.signal)).rejects.toMatchObject({
      code: "aborted",
    });
    await stage.engine.listWorkers(never);
  });

  it("does nothing for a caller that has given up before", async ({ stage }) => {
    const signal = AbortSignal.abort();
    const name = stage.newName();
    const request = { name, labels: stage.labels(name), template: { image: stage.image } };
    await expect(stage.engine.createWorker(request, signal)).rejects.toMatchObject({
      code: "aborted",
    });
    expect(await stage.listed()).toEqual([]);
    await stage.create("steady", { name });
  });

  describe("images", () => {
    it("are found by reference and by id; one that is not there is null", async ({ stage }) => {
      const { image, engine } = stage;
      const { [image]: found, ...rest } = await engine.resolveImages([image, "a/b:c"], never);
      const id = found?.id ?? "";
      expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(rest).toEqual({ "a/b:c": null });
      expect(await engine.resolveImages([id], never)).toEqual({ [id]: found });
      expect(await engine.resolveImages([], never)).toEqual({});
    });

    it("whose tag moves are another image, and a worker stays of the old one", async ({
      stage,
    }) => {
      const { engine, hands } = stage;
      const image = `${stage.run}-moving:1`;
      const old = await hands.moveTag(image);
      const id = await stage.create("steady", { image });
      const moved = await hands.moveTag(image);
      expect(moved).not.toBe(old);
      expect(await engine.resolveImages([image], never)).toMatchObject({ [image]: { id: moved } });
      expect((await stage.facts(id)).imageId).toBe(old);
      const next = await stage.create("steady", { image });
      expect((await stage.facts(next)).imageId).toBe(moved);
    });

    it("that are not there cannot be made workers of", async ({ stage }) => {
      const { engine, hands } = stage;
      const image = `${stage.run}-gone:1`;
      await hands.moveTag(image);
      await hands.removeTag(image);
      expect(await engine.resolveImages([image], never)).toEqual({ [image]: null });
      await expect(stage.create("steady", { image })).rejects.toMatchObject({
        code: "engine-not-found",
      });
      expect(await stage.listed()).toEqual([]);
    });
  });

  describe("networks", () => {
    it("are told where they are missing, and shown where a worker is attached", async ({
      stage,
    }) => {
      const { engine, hands, run } = stage;
      await hands.makeNetwork(`${run}-b`);
      await hands.makeNetwork(`${run}-a`);
      expect(await engine.findMissingNetworks([`${run}-a`, "bridge", run], never)).toEqual([run]);
      expect(await engine.findMissingNetworks([], never)).toEqual([]);
      const networks = { [`${run}-b`]: { aliases: ["mail"] }, [`${run}-a`]: {} };
      const id = await stage.start("steady", { networks });
      expect((await stage.facts(id)).networks).toEqual([`${run}-a`, `${run}-b`]);
    });

    it.for(["none", "host"])("mode %s is one", async (mode, { stage }) => {
      const id = await stage.create("steady", { network_mode: mode });
      expect((await stage.facts(id)).networks).toEqual([mode]);
    });

    it("of which a further one is missing leave nothing that runs", async ({ stage }) => {
      const { hands, run } = stage;
      await hands.makeNetwork(`${run}-a`);
      const networks = { [`${run}-a`]: {}, [`${run}-missing`]: {} };
      await expect(stage.start("steady", { networks })).rejects.toMatchObject({
        code: "engine-not-found",
      });
      expect((await stage.listed()).map(({ run: facts }) => facts.kind)).not.toContain("running");
    });
  });

  it("finds those that were sent a signal, at once and even within the same second", async ({
    stage,
  }) => {
    const { engine } = stage;
    const [a, b] = [await stage.start(), await stage.start()];
    const { now } = await engine.listWorkers(never);
    expect(await engine.findSignalled([a, b], now, never)).toEqual([]);
    await engine.signalWorker(b, "SIGUSR2", never);
    expect(await engine.findSignalled([a, b], now, never)).toEqual([b]);
    expect(await engine.findSignalled([b, a], now + 3_600_000, never).catch(() => [])).toEqual([]);
    expect(await engine.findSignalled([], now, never)).toEqual([]);
  });
}
