// Field case 6: a group left the files. Only what is ours goes, only when asked, and only when the files can be believed.

import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import { engineTime, removeByHand, runContainer, testHost } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { containerEvents, eventLines } from "./events.ts";
import { idsOf, openStage, Stage } from "./stage.ts";

const inspect = (id: string) => callJson(testHost(), "GET", `/containers/${id}/json`);

describe("field case 6: a group left the files", () => {
  let stage: Stage;
  let leaverUid: string;
  let leaver: () => Promise<readonly string[]>;

  beforeEach(async () => {
    stage = new Stage();
    leaverUid = randomUUID();
    leaver = async () => idsOf(await stage.workers(leaverUid));
    await declareBoth();
    await stage.expectExit(0, ["apply"]);
    await rm(join(stage.folder, "groups/leaver.yaml"));
  });
  afterEach(() => stage.close());

  async function declareBoth(): Promise<void> {
    await stage.declare({ replicas: 1 });
    const metadata = { name: `leaver-${stage.run}`, uid: leaverUid };
    await stage.write("groups/leaver.yaml", stage.manifest({ replicas: 2 }, metadata));
  }

  /** The run refuses to prune and nothing at all happens on the engine. */
  async function expectRefused(args: readonly string[]): Promise<string> {
    const before = await leaver();
    const since = await engineTime();
    const files = stage.files();
    const { stderr } = await stage.expectExit(3, args);
    expect(await containerEvents(since, stage.label)).toEqual([]);
    expect(await leaver()).toEqual(before);
    expect(stage.files()).toEqual(files);
    return stderr;
  }

  it("which is said, and nothing more, without --prune", async () => {
    const before = await leaver();
    const { orphans } = await stage.plan();
    expect(orphans).toMatchObject([{ name: `leaver-${stage.run}`, workers: 2 }]);
    const { stdout } = await stage.expectExit(0, ["plan"]);
    expect(stdout).toContain(`leaver-${stage.run}`);
    await stage.expectExit(0, ["apply"]);
    expect(await leaver()).toEqual(before);
  });

  it("and goes with --prune, after everything else; another project's of that name stays", async () => {
    const other = openStage();
    const theirs = other.manifest({ replicas: 1 }, { name: `leaver-${stage.run}` });
    await other.declare();
    await other.write("groups/mailer.yaml", theirs);
    await other.expectExit(0, ["apply"]);
    const plain = await runContainer(`${stage.run}-plain`, {
      Image: TEST_IMAGE,
      Labels: { [`${stage.run}`]: "" },
    });
    const [worker] = await other.workers();
    const bystanders = [plain, worker?.id ?? ""];
    const before = await Promise.all(bystanders.map(inspect));
    await stage.declare({ replicas: 2 });
    const since = await engineTime();
    await stage.expectExit(0, ["apply", "--prune"]);
    expect(await leaver()).toEqual([]);
    expect(await stage.workers()).toHaveLength(2);
    const lines = eventLines(await containerEvents(since, stage.label), ["start", "kill"]);
    expect(lines[0]).toBe("start 2");
    expect([...lines.slice(1)].sort()).toEqual(["kill 1 15", "kill 2 15"]);
    expect(await Promise.all(bystanders.map(inspect))).toEqual(before);
    await removeByHand(plain);
    await stage.expectExit(0, ["plan", "--prune", "--detailed-exitcode"]);
  });

  it("while a file cannot be parsed: nothing is touched", async () => {
    await stage.write("groups/broken.yaml", "kind: WorkerGroup\n\tmetadata: {}\n");
    await stage.declare({ replicas: 3 });
    expect(await expectRefused(["apply", "--prune"])).toContain("groups/broken.yaml:2:1");
    await expectRefused(["apply"]);
    await expectRefused(["plan", "--prune"]);
  });

  it("while another group's spec is wrong: nothing is pruned", async () => {
    const metadata = { name: `wrong-${stage.run}`, uid: randomUUID() };
    const wrong = stage.manifest({}, metadata);
    await stage.write("groups/wrong.yaml", { ...wrong, spec: { replica: 3 } });
    await expectRefused(["apply", "--prune"]);
  });

  it("while there is no manifest at all: nothing is pruned unless that is allowed", async () => {
    await rm(join(stage.folder, "groups"), { recursive: true });
    await mkdir(join(stage.folder, "groups"));
    await expectRefused(["apply", "--prune"]);
    await expectRefused(["apply", "--prune", "--yes"]);
    await stage.expectExit(0, ["apply", "--prune", "--allow-mass-delete"]);
    expect([...(await leaver()), ...(await stage.workers())]).toEqual([]);
  });
});

describe("field case 6: a name or a UID that somebody else has", () => {
  it("an unlabelled container on a name of ours is reported and left alone", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 2 });
    const [create] = (await stage.plan()).actions;
    const name = create?.worker?.name ?? "";
    const squatter = await runContainer(name, { Image: TEST_IMAGE });
    try {
      const before = await inspect(squatter);
      const { stdout } = await stage.expectExit(3, ["apply"]);
      expect(stdout).toContain(`the name ${name} is taken by a container that is not ours`);
      expect(stage.status().groups[0]?.conditions[0]).toMatchObject({ reason: "NameConflict" });
      await stage.expectExit(3, ["plan"]);
      expect(await stage.workers()).toEqual([]);
      expect(await inspect(squatter)).toEqual(before);
    } finally {
      await removeByHand(squatter);
    }
    await stage.expectExit(0, ["apply"]);
    expect(await stage.workers()).toHaveLength(2);
  });

  it("a group whose workers are another project's is left alone", async () => {
    const owner = openStage();
    const before = await owner.converge({ replicas: 2 });
    const thief = openStage();
    await thief.declare();
    const since = await engineTime();
    const metadata = { name: owner.group, uid: owner.uid };
    for (const deletion of [{}, { deletionTimestamp: "2026-11-29T12:00:00Z" }]) {
      const manifest = owner.manifest({ replicas: 1 }, { ...metadata, ...deletion });
      await thief.write("groups/mailer.yaml", manifest);
      const { stdout } = await thief.expectExit(3, ["apply"]);
      expect(stdout).toContain(`belongs to project ${owner.projectUid}`);
    }
    expect(await owner.workers()).toEqual(before);
    expect(await containerEvents(since, owner.label)).toEqual([]);
    await owner.expectNothingToDo();
  });
});
