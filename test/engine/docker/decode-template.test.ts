// That what is decoded is what was asked for, and nothing that the image or the engine added.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Template } from "../../../src/core/template.ts";
import { decodeDefaults, decodeTemplate } from "../../../src/engine/docker/decode-template.ts";
import { askedAt, KINDS } from "./asked.ts";
import { ID, INFO, inspected, wireOf } from "./inspected.ts";

type Config = Readonly<Record<string, unknown>>;

function decode(container: unknown, image: Config = {}, info: object = INFO): Template {
  const defaults = decodeDefaults(wireOf(info));
  return decodeTemplate(wireOf(container), wireOf({ Config: image }), defaults);
}

const IMAGE = {
  Cmd: ["serve"],
  Entrypoint: ["/init"],
  Env: ["PATH=/bin", "LEVEL=info"],
  Labels: { vendor: "acme" },
  Healthcheck: { Test: ["CMD", "ok"], Interval: 7e9, Retries: 3 },
  User: "app",
  WorkingDir: "/srv",
  StopSignal: "SIGQUIT",
  Volumes: { "/data": {} },
};

const asked = askedAt({ folder: "/srv/x", networks: ["a", "b"], volume: "data" });

describe.each([
  ["an image without a word", {}],
  ["an image with words of its own", IMAGE],
])("of %s", (_, image) => {
  it.each(KINDS)("gives back what was asked: %s", (kind) => {
    const template: Template = { image: "mailer:1", ...asked[kind] };
    expect(decode(inspected(template, image), image)).toEqual(template);
  });
});

describe.each([
  ["an image without a word", {}],
  ["an image with words of its own", IMAGE],
])("any part of it, of %s", (_, image) => {
  it("is given back by every version of the API", () => {
    const parts = fc.constantFrom<Partial<Template>[]>(asked.ordinary, asked.open);
    const some = parts.chain((part) => fc.tuple(fc.constant(part), fc.subarray(keysOf(part))));
    fc.assert(
      fc.property(some, fc.integer({ min: 41, max: 51 }), ([part, keys], version) => {
        const template = { image: "mailer:1", ...pick(part, keys) };
        expect(decode(inspected(template, image, version), image)).toEqual(template);
      }),
    );
  });
});

type Key = keyof Template;

function keysOf(part: Partial<Template>): Key[] {
  const all = { image: "", ...part };
  return Object.keys(all).filter((key): key is Key => key in all);
}

/** Swap is nothing without memory. */
function pick(part: Partial<Template>, keys: readonly Key[]): Partial<Template> {
  const chosen = Object.entries(part).filter(
    ([key]) =>
      keys.some((each) => each === key) || (key === "mem_limit" && keys.includes("memswap_limit")),
  );
  return Object.fromEntries(chosen);
}

describe("words of the image", () => {
  it.each<[string, Partial<Template>]>([
    ["another command", { command: ["work"] }],
    ["another entrypoint, and no command any more", { entrypoint: ["/other"] }],
    ["another entrypoint with the image's command", { entrypoint: ["/other"], command: ["serve"] }],
    ["the image's entrypoint, which takes its command away", { entrypoint: ["/init"] }],
    ["no entrypoint", { entrypoint: [] }],
    ["a variable of another value", { environment: { LEVEL: "debug" } }],
    ["a label of another value", { labels: { vendor: "me" } }],
    ["other retries with the image's test", { healthcheck: { retries: 9 } }],
    ["no health check", { healthcheck: { test: ["NONE"] } }],
    ["another signal", { stop_signal: "SIGTERM" }],
    ["a volume where the image has one", { volumes: [{ type: "volume", target: "/data" }] }],
  ])("are told from %s", (_, part) => {
    const template: Template = { image: "mailer:1", ...part };
    expect(decode(inspected(template, IMAGE), IMAGE)).toEqual(template);
  });

  it.each<[string, Partial<Template>]>([
    ["its command", { command: ["serve"] }],
    ["its variables", { environment: { LEVEL: "info" } }],
    ["its health check", { healthcheck: { test: ["CMD", "ok"], retries: 3 } }],
    ["its user", { user: "app", working_dir: "/srv", stop_signal: "SIGQUIT" }],
  ])("asked for once more are not seen: %s", (_, part) => {
    const container = inspected({ image: "mailer:1", ...part }, IMAGE);
    expect(decode(container, IMAGE)).toEqual({ image: "mailer:1" });
  });

  it("all seem asked for, where the image is gone", () => {
    const container = wireOf(inspected({ image: "mailer:1" }, IMAGE));
    const defaults = decodeDefaults(wireOf(INFO));
    expect(decodeTemplate(container, wireOf(null), defaults)).toMatchObject({
      ...{ command: ["serve"], entrypoint: ["/init"], user: "app", stop_signal: "SIGQUIT" },
    });
  });
});

describe("what the engine adds", () => {
  const container = (config: Config, host: Config, rest: Config = {}) => ({
    ...{ Id: ID, Config: { Image: "mailer:1", ...config }, HostConfig: host, ...rest },
  });

  it.each<[string, Config, Config]>([
    ["a hostname out of the id", { Hostname: ID.slice(0, 12) }, {}],
    ["the host's name in the host's network", { Hostname: "box" }, { NetworkMode: "default" }],
    ["the signal that old clients wrote", { StopSignal: "SIGTERM" }, {}],
    ["its runtime", {}, { Runtime: "runc" }],
    ["its log driver", {}, { LogConfig: { Type: "json-file", Config: {} } }],
    ["no restart", {}, { RestartPolicy: { Name: "no", MaximumRetryCount: 0 } }],
    ["zeros", {}, { NanoCpus: 0, Memory: 0, PidsLimit: 0, OomScoreAdj: 0, MemoryReservation: 0 }],
    ["as much swap as memory", {}, { Memory: 0, MemorySwap: 0 }],
    ["no swappiness", {}, { MemorySwappiness: -1 }],
    ["lists of nothing", {}, { CapAdd: [], Dns: null, ExtraHosts: [], Devices: [], Ulimits: null }],
    [
      "labels of others",
      { Labels: { "dev.wgctl.uid": "u", "com.docker.compose.project": "p" } },
      {},
    ],
    ["variables taken away", { Env: ["GONE"] }, {}],
  ])("is left out: %s", (title, config, host) => {
    const mode = title.includes("host's network") ? { NetworkMode: "host" } : {};
    const expected = { image: "mailer:1", ...(mode.NetworkMode && { network_mode: "host" }) };
    expect(decode(container(config, { ...host, ...mode }))).toEqual(expected);
  });

  it("is no word on swap, where it cannot limit it", () => {
    const memory = 64 * 1024 ** 2;
    const limited = container({}, { Memory: memory, MemorySwap: -1 });
    const word = { image: "mailer:1", mem_limit: memory };
    expect(decode(limited, {}, { ...INFO, SwapLimit: false })).toEqual(word);
    expect(decode(limited)).toEqual({ ...word, memswap_limit: -1 });
  });

  it.each(["/shop-worker-1", "/shop-worker-1.kept-1796010493"])(
    "is an alias that is the name, of %s",
    (Name) => {
      const Networks = { shop: { Aliases: ["shop-worker-1", "worker"] } };
      const { networks } = decode(container({}, {}, { Name, NetworkSettings: { Networks } }));
      expect(networks).toEqual({ shop: { aliases: ["worker"] } });
    },
  );

  it("is its own bridge, and not another network beside it", () => {
    const attached = (Networks: Config, mode: string) =>
      decode(container({}, { NetworkMode: mode }, { NetworkSettings: { Networks } }));
    expect(attached({ bridge: {} }, "bridge")).toEqual({ image: "mailer:1" });
    expect(attached({ bridge: {}, shop: { Aliases: [ID.slice(0, 12)] } }, "default")).toEqual({
      image: "mailer:1",
      networks: { bridge: {}, shop: {} },
    });
    const { network_mode } = attached({}, "container:abc");
    expect(network_mode).toBe("container:abc");
  });
});

describe("other people's forms", () => {
  it.each<[string, Config, Partial<Template>]>([
    [
      "a capability by its whole name",
      { CapAdd: ["CAP_SYS_ADMIN", "cap_chown", "CHOWN"] },
      { cap_add: ["CHOWN", "SYS_ADMIN"] },
    ],
    [
      "a security option with a colon",
      { SecurityOpt: ["label:disable", "apparmor=a:b"] },
      {
        security_opt: ["apparmor=a:b", "label=disable"],
      },
    ],
    [
      "the word for no new privileges, and groups, in any order",
      { SecurityOpt: ["no-new-privileges", "apparmor=x"], GroupAdd: ["b", "a", "b"] },
      { security_opt: ["apparmor=x", "no-new-privileges=true"], group_add: ["a", "b"] },
    ],
    [
      "paths of the kernel that are hidden as usual",
      { MaskedPaths: ["/proc/kcore"], ReadonlyPaths: ["/proc/bus"] },
      {},
    ],
    [
      "a privileged container, which hides none",
      { Privileged: true, MaskedPaths: null, ReadonlyPaths: null },
      { privileged: true },
    ],
    [
      "devices found by their driver's name alone",
      { DeviceRequests: [{ Driver: "cdi", DeviceIDs: ["acme.com/x=1"], Capabilities: null }] },
      {
        device_requests: [{ driver: "cdi", device_ids: ["acme.com/x=1"], capabilities: [] }],
      },
    ],
    [
      "a host with an equals sign, and an address in brackets",
      { ExtraHosts: ["db=10.0.0.2", "db:[::1]"] },
      { extra_hosts: { db: ["10.0.0.2", "::1"] } },
    ],
    [
      "tmpfs as a mount",
      {
        Mounts: [{ Type: "tmpfs", Target: "/t", TmpfsOptions: { SizeBytes: 1024, Mode: 0o1777 } }],
      },
      { tmpfs: { "/t": "size=1024,mode=1777" } },
    ],
    ["a quota of CPU time", { CpuQuota: 50_000, CpuPeriod: 100_000 }, { cpus: 0.5 }],
    [
      "a named volume in the short form",
      { Binds: ["data:/data:ro"] },
      { volumes: [{ type: "volume", source: "data", target: "/data", read_only: true }] },
    ],
    [
      "a bind in the long form, which makes no folder",
      { Mounts: [{ Type: "bind", Source: "/in", Target: "/in" }] },
      { volumes: [{ type: "bind", source: "/in", target: "/in", create_host_path: false }] },
    ],
    [
      "a bind in the long form that is told to make it",
      {
        Mounts: [
          { Type: "bind", Source: "/i:n", Target: "/in", BindOptions: { CreateMountpoint: true } },
        ],
      },
      { volumes: [{ type: "bind", source: "/i:n", target: "/in" }] },
    ],
    [
      "a port of the engine's choice",
      { PortBindings: { "80/tcp": [{ HostIp: "", HostPort: "0" }] } },
      { ports: [{ target: 80, protocol: "tcp" }] },
    ],
  ])("%s", (_, HostConfig, expected) => {
    const container = { Id: ID, Config: { Image: "mailer:1" }, HostConfig };
    expect(decode(container)).toEqual({ image: "mailer:1", ...expected });
  });

  it("anonymous volumes of the command line are mounts, those of the image are not", () => {
    const Volumes = { "/data": {}, "/mine": {} };
    const container = { Id: ID, Config: { Image: "mailer:1", Volumes }, HostConfig: {} };
    expect(decode(container, { Volumes: { "/data": {} } }).volumes).toEqual([
      { type: "volume", target: "/mine" },
    ]);
  });
});

it("knows secrets and configs as the binds that they are, and no platform", () => {
  const file = { file: "/srv/token", target: "/run/secrets/token", content: "d" };
  const template: Template = { image: "mailer:1", platform: "linux/arm64", secrets: [file] };
  expect(decode(inspected(template))).toEqual({
    image: "mailer:1",
    volumes: [
      {
        ...{ type: "bind", source: "/srv/token", target: "/run/secrets/token" },
        ...{ read_only: true, create_host_path: false },
      },
    ],
  });
});
