// Every field of a template on a real engine: what was asked for is what inspect shows, and what is read back. Nothing
// is started, so that no hardware is needed for it, and all fields share a few containers.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callJson } from "../../../scripts/lib/docker-api.mjs";
import type { Template } from "../../../src/core/template.ts";
import { cleanup, RUN_LABEL, testHost } from "../../support/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";
import { askedAt, KINDS, type Kind } from "./asked.ts";
import { inspectWire, never, openBench } from "./bench.ts";

const { run, engine, create } = await openBench();
const folder = await mkdtemp(join(tmpdir(), "wgctl-fields-"));
const [network, second, volume] = [`${run}-a`, `${run}-b`, `${run}-volume`];
const asked = askedAt({ folder, networks: [network, second], volume });
const made = new Map<string, { readonly id: string; readonly wire: Wire }>();

type Wire = Awaited<ReturnType<typeof inspectWire>>;

beforeAll(async () => {
  for (const name of [network, second]) {
    const body = { Name: name, Labels: { [RUN_LABEL]: run } };
    await callJson(testHost(), "POST", "/networks/create", { body });
  }
  for (const kind of KINDS) {
    const id = await make(kind);
    made.set(kind, { id, wire: await inspectWire(id) });
  }
});

afterAll(async () => {
  await cleanup(run);
  await callJson(testHost(), "DELETE", `/volumes/${volume}`);
  await rm(folder, { recursive: true, force: true });
  await engine.close();
});

function templateOf(kind: Kind): Template {
  const part: Partial<Template> = asked[kind];
  return { image: TEST_IMAGE, ...part, labels: { ...part.labels, [RUN_LABEL]: run } };
}

function make(kind: Kind): Promise<string> {
  const template = templateOf(kind);
  const name = `${run}-${kind}`;
  const labels = { "dev.wgctl.uid": run, "dev.wgctl.name": name, ...template.labels };
  return engine.createWorker({ name, labels, template }, never);
}

function shown(kind: Kind): Wire {
  return made.get(kind)?.wire;
}

it.each(KINDS)("reads back what was asked: %s", async (kind) => {
  expect(await engine.readTemplate(made.get(kind)?.id ?? "", never)).toEqual(templateOf(kind));
});

it("reads nothing of what is not there, and takes no beginning of an id", async () => {
  const { id = "" } = made.get("bare") ?? {};
  expect(await engine.readTemplate(`${run}-none`, never)).toBeUndefined();
  expect(await engine.readTemplate(id.slice(0, 20), never)).toBeUndefined();
  expect(await engine.readTemplate(`${run}-bare`, never)).toEqual(templateOf("bare"));
});

describe("inspect shows", () => {
  it.each<[string, Kind, object]>([
    ["rights taken and given", "ordinary", { CapAdd: ["CHOWN", "SETUID"], CapDrop: ["ALL"] }],
    [
      "security options",
      "ordinary",
      { SecurityOpt: ["no-new-privileges=true", "seccomp=unconfined"] },
    ],
    ["open paths of the kernel", "ordinary", { MaskedPaths: [], ReadonlyPaths: [] }],
    ["a root to read only", "ordinary", { ReadonlyRootfs: true }],
    ["further groups", "ordinary", { GroupAdd: ["44", "audio"] }],
    [
      "ulimits",
      "ordinary",
      {
        Ulimits: [
          { Name: "nofile", Soft: 1024, Hard: 2048 },
          { Name: "nproc", Soft: 64, Hard: -1 },
        ],
      },
    ],
    ["sysctls", "ordinary", { Sysctls: { "net.core.somaxconn": "512" } }],
    ["shared memory", "ordinary", { ShmSize: 134_217_728, IpcMode: "shareable" }],
    [
      "memory and swap",
      "ordinary",
      {
        ...{ Memory: 67_108_864, MemorySwap: 100_663_296, MemorySwappiness: 10 },
        ...{ MemoryReservation: 33_554_432, OomScoreAdj: 100 },
      },
    ],
    [
      "name servers",
      "ordinary",
      { Dns: ["8.8.8.8", "1.1.1.1"], DnsSearch: ["b.test", "a.test"], DnsOptions: ["ndots:1"] },
    ],
    ["further hosts", "ordinary", { ExtraHosts: ["db:10.0.0.2", "db:::1", "gate:host-gateway"] }],
    [
      "devices",
      "ordinary",
      {
        Devices: [
          { PathOnHost: "/dev/null", PathInContainer: "/dev/zip", CgroupPermissions: "rw" },
        ],
        DeviceRequests: [{ Driver: "nvidia", Count: -1, Capabilities: [["gpu", "utility"]] }],
      },
    ],
    [
      "the host's namespaces",
      "open",
      { Privileged: true, IpcMode: "host", PidMode: "host", UsernsMode: "host" },
    ],
    ["no limit of swap", "open", { MemorySwap: -1 }],
  ])("%s", (_, kind, expected) => {
    expect(shown(kind).HostConfig).toMatchObject(expected);
  });

  it("mounts by their targets", () => {
    type Point = { Destination: string; Type: string; RW: boolean; Propagation: string };
    const points: readonly Point[] = shown("ordinary").Mounts;
    const lines = points.map(({ Destination, Type, RW, Propagation }) =>
      `${Destination} ${Type} ${RW ? "rw" : "ro"} ${Propagation}`.trim(),
    );
    expect(lines.sort()).toEqual([
      "/anonymous volume rw",
      "/bind bind ro rslave",
      "/exact bind rw rprivate",
      "/kept volume rw",
      "/made bind rw rprivate",
    ]);
  });
});

describe("files of the host", () => {
  const secret = { file: join(folder, "secret"), target: "/run/secrets/token", content: "d" };

  it("are read-only binds, and never folders in the place of a missing file", async () => {
    await expect(create({ secrets: [secret] })).rejects.toMatchObject({ code: "engine-rejected" });
    await writeFile(secret.file, "invented");
    const { Mounts } = await inspectWire(await create({ secrets: [secret] }));
    expect(Mounts).toEqual([
      expect.objectContaining({ Source: secret.file, Destination: secret.target, RW: false }),
    ]);
  });

  it("must be there, where a bind makes no folder", async () => {
    const missing = { type: "bind", source: join(folder, "none"), target: "/in" } as const;
    const volumes = [{ ...missing, create_host_path: false } as const];
    await expect(create({ volumes })).rejects.toMatchObject({ code: "engine-rejected" });
    await create({ volumes: [missing] });
  });
});

it("mounts a folder of a volume, or says that this engine cannot", async () => {
  const { ApiVersion: version } = await callJson(testHost(), "GET", "/version");
  const inside = { type: "volume", source: volume, target: "/in", subpath: "mail" } as const;
  const creating = create({ volumes: [inside] });
  if (Number(String(version).split(".")[1]) < 45) {
    await expect(creating).rejects.toMatchObject({ code: "engine-rejected" });
    return;
  }
  const template = await engine.readTemplate(await creating, never);
  expect(template?.volumes).toEqual([inside]);
});

it("takes a platform the engine has an image of, and says which it has not", async () => {
  await create({ platform: "linux/amd64" });
  await expect(create({ platform: "linux/s390x" })).rejects.toMatchObject({
    code: "engine-not-found",
  });
});
