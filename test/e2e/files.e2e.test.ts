// Secrets and configs from files, in real workers: where they see them, and what becomes of a group whose file is edited,
// touched, missing or bad.

import { randomUUID } from "node:crypto";
import { chmodSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import { execIn, testHost } from "../support/engine.ts";
import { bySlot, idsOf, openStage, type Spec, type Stage } from "./stage.ts";

const SPEC: Spec = {
  replicas: 2,
  secrets: { key: { file: "./key.txt" } },
  configs: { app: { file: "./app.toml" } },
  template: { secrets: ["key"], configs: ["app"] },
};

async function openWithFiles(): Promise<Stage> {
  const stage = openStage();
  await stage.write("groups/key.txt", "hunter2\n");
  await stage.write("groups/app.toml", "port = 8080\n");
  return stage;
}

/** Whether every worker has this text in this file. */
async function seen(stage: Stage, text: string, path: string): Promise<boolean> {
  const codes = (await stage.workers()).map(({ id }) => execIn(id, ["grep", "-qF", text, path]));
  return (await Promise.all(codes)).every((code) => code === 0);
}

const writeTo = (path: string) => ["sh", "-c", `echo x >> ${path}`];

describe("files of the host in a worker", () => {
  it("are where Compose mounts them, to be read and not written", async () => {
    const stage = await openWithFiles();
    const uses = {
      secrets: ["key", { source: "key", target: "b/c" }, { source: "key", target: "/etc/key" }],
      configs: ["app", { source: "app", target: "/etc/app/app.toml" }],
    };
    const [worker] = await stage.converge({ ...SPEC, replicas: 1, template: uses });
    const id = worker?.id ?? "";
    for (const path of ["/run/secrets/key", "/run/secrets/b/c", "/etc/key"])
      expect(await execIn(id, ["grep", "-qx", "hunter2", path]), path).toBe(0);
    for (const path of ["/app", "/etc/app/app.toml"])
      expect(await execIn(id, ["grep", "-qx", "port = 8080", path]), path).toBe(0);
    for (const path of ["/run/secrets/key", "/app"])
      expect(await execIn(id, writeTo(path)), path).not.toBe(0);
    expect(await execIn(id, writeTo("/tmp/x"))).toBe(0);
    const { HostConfig } = await callJson(testHost(), "GET", `/containers/${id}/json`);
    expect(HostConfig.Mounts).toContainEqual({
      ...{ Type: "bind", Source: join(stage.folder, "groups/key.txt") },
      ...{ Target: "/run/secrets/key", ReadOnly: true },
    });
    await stage.expectNothingToDo();
  });
});

describe("a file that is edited", () => {
  it.each([
    ["a secret", "groups/key.txt", "/run/secrets/key", "secrets[/run/secrets/key]"],
    ["a config", "groups/app.toml", "/app", "configs[/app]"],
  ])(
    "%s: the group is rolled, and the plan says why and not to what",
    async (_, file, at, path) => {
      const stage = await openWithFiles();
      await stage.converge(SPEC);
      // Another run, which may keep what it read.
      await stage.expectExit(0, ["apply"]);
      const before = idsOf(await stage.workers());
      await stage.write(file, "swordfish\n");
      const { actions } = await stage.plan();
      const reasons = new Set(actions.map(({ reason, paths }) => [reason, ...paths].join(" ")));
      expect([...reasons]).toContain(`file-changed ${path}`);
      const { stdout } = await stage.expectExit(2, ["plan", "--detailed-exitcode"]);
      expect(stdout).toContain(`file-changed: ${path}`);
      expect(stdout).toMatch(/^ +\+ .*content: \((sensitive, )?changed\)$/m);
      expect(stdout).not.toMatch(/hunter2|swordfish|8080|sealed:|digest:/);
      await stage.expectExit(0, ["apply"]);
      expect(idsOf(await stage.workers()).filter((id) => before.includes(id))).toEqual([]);
      expect(await seen(stage, "swordfish", at)).toBe(true);
      await stage.expectNothingToDo();
    },
  );

  it("in its times and its mode alone: nothing is done and nothing written", async () => {
    const stage = await openWithFiles();
    const before = await stage.converge(SPEC);
    for (const name of ["key.txt", "app.toml"]) {
      utimesSync(join(stage.folder, "groups", name), new Date(0), new Date(0));
      chmodSync(join(stage.folder, "groups", name), 0o640);
    }
    await stage.expectNothingToDo();
    await stage.expectExit(0, ["apply"]);
    const files = stage.files();
    await stage.expectExit(0, ["apply"]);
    expect(stage.files()).toEqual(files);
    expect(await stage.workers()).toEqual(before);
  });

  it("to what no worker can do with stops at the first, and is mended by putting it back", async () => {
    const stage = await openWithFiles();
    const works = "grep -q hunter2 /run/secrets/key || exit 3; exec worker";
    const template = { ...SPEC.template, command: ["sh", "-c", works] };
    const before = bySlot(await stage.converge({ ...SPEC, template }));
    await stage.write("groups/key.txt", "swordfish\n");
    const { stdout, stderr } = await stage.expectExit(6, ["apply", "--timeout", "15s"]);
    expect(stdout + stderr).toContain("exit code 3");
    const running = (await stage.workers()).filter(({ state }) => state === "running");
    expect(idsOf(running)).toHaveLength(1);
    expect(Object.values(before)).toContain(running[0]?.id);
    await stage.write("groups/key.txt", "hunter2\n");
    await stage.expectExit(0, ["apply"]);
    expect(bySlot(await stage.workers())).toEqual(before);
    await stage.expectNothingToDo();
  });
});

describe("a file that is missing", () => {
  it("blocks its own group and leaves its workers alone; the others converge, exit 3", async () => {
    const stage = await openWithFiles();
    const other = { name: `other-${stage.run}`, uid: randomUUID() };
    const before = await stage.converge(SPEC);
    await stage.write("groups/other.yaml", stage.manifest({ replicas: 1 }, other));
    rmSync(join(stage.folder, "groups/key.txt"));
    const { stderr } = await stage.expectExit(3, ["apply"]);
    expect(stderr).toMatch(/groups\/mailer\.yaml:\d+:\d+: error: groups\/key\.txt: no such file/);
    expect(stderr).toContain("in spec.secrets.key.file");
    expect(await stage.workers()).toEqual(before);
    expect(await stage.workers(other.uid)).toHaveLength(1);
    const mailer = stage.status().groups.find(({ uid }) => uid === stage.uid);
    expect(mailer?.conditions).toContainEqual(
      expect.objectContaining({ type: "Ready", status: "False", reason: "InvalidSpec" }),
    );
    await stage.write("groups/key.txt", "hunter2\n");
    await stage.expectExit(0, ["apply"]);
    expect(await stage.workers()).toEqual(before);
  });
});
