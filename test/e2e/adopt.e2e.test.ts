// `wgctl adopt` on a real engine: containers made as compose makes them or by hand, and what becomes of them.

import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { callApi, callJson } from "../../scripts/lib/docker-api.mjs";
import {
  listContainers,
  RUN_LABEL,
  removeByHand,
  runContainer,
  testHost,
} from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { observe } from "../support/observer.ts";
import { waitFor } from "../support/wait.ts";
import { openStage, type Spec, type Stage } from "./stage.ts";

const SECRET = "sup3r-s3cret-of-the-shop";
const SHOPS = [1, 2, 3] as const;

type Container = {
  readonly Id: string;
  readonly Name: string;
  readonly State: { readonly Status: string; readonly StartedAt: string };
  readonly Mounts: readonly { readonly Name?: string }[];
  readonly HostConfig: { readonly RestartPolicy: { readonly Name: string } };
};

const inspect = (idOrName: string): Promise<Container> =>
  callJson(testHost(), "GET", `/containers/${idOrName}/json`);

const nameOf = ({ run }: Stage, number: number) => `${run}-worker-${number}`;

/** Starts one as `docker compose up` does; `changes` go over its create request. */
function startShop(stage: Stage, number: number, changes: Readonly<Record<string, unknown>> = {}) {
  return runContainer(nameOf(stage, number), {
    Image: TEST_IMAGE,
    Env: ["QUEUE=post", `TOKEN=${SECRET}`],
    Labels: {
      [RUN_LABEL]: stage.run,
      "com.docker.compose.project": "shop",
      "com.docker.compose.service": "worker",
      "com.docker.compose.container-number": String(number),
    },
    HostConfig: { RestartPolicy: { Name: "unless-stopped" } },
    ...changes,
  });
}

/** A port that no other test of this file asks for. */
const freePort = () => 20_000 + Math.floor(Math.random() * 10_000);

const publishing = (hostPort: string) => ({
  ExposedPorts: { "80/tcp": {} },
  HostConfig: { PortBindings: { "80/tcp": [{ HostPort: hostPort }] } },
});

async function openShop(spec: Spec = {}, replicas: number = SHOPS.length): Promise<Stage> {
  const stage = openStage();
  await stage.declare({ replicas, ...spec });
  for (const number of SHOPS.slice(0, replicas)) await startShop(stage, number);
  return stage;
}

/** `adopt` of all that were started. */
function adoptAll(stage: Stage, replicas: number = SHOPS.length): readonly string[] {
  const names = SHOPS.slice(0, replicas).map((number) => nameOf(stage, number));
  return ["adopt", stage.group, "--from", ...names];
}

const manifestOf = ({ folder }: Stage) => readFile(join(folder, "groups/mailer.yaml"), "utf8");

/** Names of what runs, without revisions and run ids. */
async function running(stage: Stage): Promise<readonly string[]> {
  const all = await listContainers(stage.label);
  return all
    .filter(({ state }) => state === "running")
    .map(({ name }) => name.replace(stage.run, "").replace(/-[0-9a-f]{8}$/, ""))
    .sort();
}

const THEIRS = ["-worker-1", "-worker-2", "-worker-3"];
const OURS = ["mailer--1", "mailer--2", "mailer--3"];

describe("wgctl adopt", () => {
  it("replaces compose's containers one by one, and tells nothing of what they were given", async () => {
    const stage = await openShop({ rollout: { minReadySeconds: 1 } });
    const before = await manifestOf(stage);
    const announced = await stage.expectExit(0, [...adoptAll(stage), "--yes", "--no-apply"]);
    const planned = await everythingTold(stage);
    const observer = observe(stage.label);
    const { stdout, stderr } = await stage.expectExit(0, ["adopt", stage.group, "-v"]);
    const samples = await observer.stop();
    expect(Math.min(...samples.map((sample) => sample.running))).toBeGreaterThanOrEqual(2);
    expect(Math.max(...samples.map((sample) => sample.existing))).toBeLessThanOrEqual(3);
    expect(await running(stage)).toEqual(OURS);
    expect(await listContainers(stage.label)).toHaveLength(3);
    expect(await manifestOf(stage)).toBe(before);
    expect(announced.stdout).toContain("take the service worker of shop out of the compose file");
    expect(planned.join()).toContain("TOKEN: (sensitive)");
    await stage.expectNothingToDo();
    const told = [announced.stdout, stdout, stderr, ...planned, ...(await everythingTold(stage))];
    expect(told.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it("changes nothing where nobody confirms it", async () => {
    const stage = await openShop();
    const before = await Promise.all(SHOPS.map((number) => inspect(nameOf(stage, number))));
    const manifest = await manifestOf(stage);
    const { stderr } = await stage.expectExit(3, adoptAll(stage));
    expect(stderr).toContain("nobody has confirmed");
    await stage.expectExit(0, [...adoptAll(stage), "--dry-run"]);
    expect(await Promise.all(SHOPS.map((number) => inspect(nameOf(stage, number))))).toEqual(
      before,
    );
    expect(await manifestOf(stage)).toBe(manifest);
  });

  it("brings them back when the new revision fails, and goes on once it is mended", async () => {
    const crashing = { template: { environment: { CRASH_AFTER: "0" } } };
    const rollout = { rollout: { minReadySeconds: 3 } };
    const stage = await openShop({ ...crashing, ...rollout });
    const ids = (await listContainers(stage.label)).map(({ id }) => id).sort();
    await stage.expectExit(6, [...adoptAll(stage), "--yes"]);
    expect(await running(stage)).toEqual(THEIRS);
    const back = (await listContainers(stage.label)).filter(({ state }) => state === "running");
    expect(back.map(({ id }) => id).sort()).toEqual(ids);
    expect(await manifestOf(stage)).toContain("adopt");
    await stage.declare({ ...rollout });
    await stage.expectExit(0, [...adoptAll(stage), "--yes"]);
    expect(await running(stage)).toEqual(OURS);
    await stage.expectNothingToDo();
  });

  it("R8: killed in the middle it is gone on with by any apply", async () => {
    const stage = await openShop({ rollout: { minReadySeconds: 2 } });
    const onStart = (pid: number) => {
      void waitFor("the first worker", async () => (await stage.workers()).length > 0).then(() =>
        process.kill(pid, "SIGKILL"),
      );
    };
    const { code } = await stage.wgctl([...adoptAll(stage), "--yes"], { onStart });
    expect(code).toBe(137);
    expect(await manifestOf(stage)).toContain("adopt");
    const observer = observe(stage.label);
    await stage.expectExit(0, ["apply"]);
    const samples = await observer.stop();
    expect(Math.min(...samples.map((sample) => sample.running))).toBeGreaterThanOrEqual(2);
    expect(Math.max(...samples.map((sample) => sample.existing))).toBeLessThanOrEqual(3);
    expect(await running(stage)).toEqual(OURS);
    const { stdout } = await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
    expect(stdout).toContain("spec.adopt names what is gone from the engine");
    await stage.expectExit(0, ["adopt", stage.group]);
    expect(await manifestOf(stage)).not.toContain("adopt");
  });

  it("hands a fixed host port over", async () => {
    const port = freePort();
    const stage = openStage();
    await stage.declare({ replicas: 1, template: { ports: [`${port}:80`] } });
    await startShop(stage, 1, publishing(String(port)));
    await stage.expectExit(0, [...adoptAll(stage, 1), "--yes"]);
    expect(await running(stage)).toEqual(["mailer--1"]);
  });

  it("gives each the slot of the port that it has of a range", async () => {
    const port = freePort();
    const range = `${port}-${port + 1}`;
    const stage = openStage();
    await stage.declare({ replicas: 2, template: { ports: [`${range}:80`] } });
    // Compose asks for the range, and the engine gives each what is free: the first is to have the second port.
    const before = await startShop(stage, 3, publishing(String(port)));
    await startShop(stage, 1, publishing(range));
    await removeByHand(before);
    await startShop(stage, 2, publishing(range));
    const { stdout } = await stage.expectExit(0, [...adoptAll(stage, 2), "--yes"]);
    expect(stdout).toMatch(/worker-2 .*slot 1\n.*worker-1 .*slot 2/);
    expect(await running(stage)).toEqual(OURS.slice(0, 2));
    await stage.expectNothingToDo();
  });

  it("refuses workers of its own, on the command line and in the manifest", async () => {
    const stage = openStage();
    const [worker] = await stage.converge({ replicas: 1 });
    const name = worker?.name ?? "";
    const { stderr } = await stage.expectExit(3, ["adopt", stage.group, "--from", name, "--yes"]);
    expect(stderr).toContain(`${name} carries the labels of a wgctl worker`);
    const manifest: unknown = JSON.parse(await manifestOf(stage));
    const spec = { ...stage.manifest({ replicas: 2 }), ...record(manifest) }["spec"];
    const declared = {
      ...record(manifest),
      spec: { ...record(spec), replicas: 2, adopt: [worker?.id] },
    };
    await writeFile(join(stage.folder, "groups/mailer.yaml"), JSON.stringify(declared));
    const { stderr: told, stdout } = await stage.expectExit(3, ["apply"]);
    expect(`${told}${stdout}`).toContain("carries the labels of a worker");
    expect(await running(stage)).toEqual(["mailer--1"]);
  });

  it("leaves what a container had in an anonymous volume", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1 });
    const id = await startShop(stage, 1, { Volumes: { "/data": {} } });
    const volume = (await inspect(id)).Mounts[0]?.Name ?? "";
    onTestFinished(async () => {
      await callApi(testHost(), "DELETE", `/volumes/${volume}`);
    });
    await stage.expectExit(0, [...adoptAll(stage, 1), "--yes"]);
    expect(await running(stage)).toEqual(["mailer--1"]);
    expect(await callJson(testHost(), "GET", `/volumes/${volume}`)).toMatchObject({ Name: volume });
  });

  it("says that one which was run with --rm cannot come back, and replaces it", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1 });
    await startShop(stage, 1, { HostConfig: { AutoRemove: true } });
    const { stdout } = await stage.expectExit(0, [...adoptAll(stage, 1), "--yes"]);
    expect(stdout).toContain("was run with --rm");
    expect(await running(stage)).toEqual(["mailer--1"]);
    await stage.expectNothingToDo();
  });

  it("touches nothing that takes the place of what it names", async () => {
    const stage = await openShop();
    await stage.expectExit(0, [...adoptAll(stage), "--yes", "--no-apply"]);
    await callJson(testHost(), "DELETE", `/containers/${nameOf(stage, 2)}?force=1`);
    const another = await startShop(stage, 2);
    const before = await inspect(another);
    await stage.expectExit(0, ["apply"]);
    expect(await running(stage)).toEqual(["-worker-2", ...OURS]);
    expect(await inspect(another)).toEqual(before);
  });
});

function record(value: unknown): Readonly<Record<string, unknown>> {
  return value instanceof Object ? { ...value } : {};
}

/** What machines and people are told afterwards, and what was written. */
async function everythingTold(stage: Stage): Promise<readonly string[]> {
  const commands = [
    ["plan", "-o", "wide", "-v"],
    ["plan", "-o", "json", "-v"],
    ["status", "-o", "json"],
    ["history", "-o", "json"],
  ];
  const files = ["status.json", "journal.ndjson"];
  return [
    ...(await Promise.all(commands.map(async (args) => (await stage.wgctl(args)).stdout))),
    ...files
      .map((name) => join(stage.folder, ".wgctl", name))
      .flatMap((file) => (existsSync(file) ? [readFileSync(file, "utf8")] : [])),
  ];
}
