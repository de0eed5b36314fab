import { describe, expect, it } from "vitest";
import type { Template } from "../../../src/core/template.ts";
import { encodeCreation } from "../../../src/engine/docker/encode.ts";
import { encodeRestartPolicy } from "../../../src/engine/docker/encode-host.ts";

/** The body as it goes over the wire, where nothing undefined is left. */
function bodyOf(template: Partial<Template>, version = 51) {
  const request = { name: "w", labels: {}, template: { image: "mailer:1", ...template } };
  return JSON.parse(JSON.stringify(encodeCreation(request, version).body));
}

type Volume = NonNullable<Template["volumes"]>[number];

const BARE = {
  Image: "mailer:1",
  Env: [],
  ExposedPorts: {},
  Labels: {},
  HostConfig: { Binds: [], Mounts: [], PortBindings: {} },
};

const host = (changes: object) => ({ HostConfig: { ...BARE.HostConfig, ...changes } });

describe("fields", () => {
  it.each<[string, Partial<Template>, object]>([
    ["nothing but an image", {}, {}],
    ["command", { command: ["sh", "-c", "x"] }, { Cmd: ["sh", "-c", "x"] }],
    ["entrypoint taken away", { entrypoint: [] }, { Entrypoint: [] }],
    ["environment, sorted", { environment: { B: "2=2", A: "" } }, { Env: ["A=", "B=2=2"] }],
    ["stop signal", { stop_signal: "SIGUSR1" }, { StopSignal: "SIGUSR1" }],
    ["grace, to whole seconds and never shorter", { stop_grace_period: 4.2 }, { StopTimeout: 5 }],
    ["no grace", { stop_grace_period: 0 }, { StopTimeout: 0 }],
    ["restart policy", { restart: "always" }, host({ RestartPolicy: { Name: "always" } })],
    ["cpus", { cpus: 0.29 }, host({ NanoCpus: 290_000_000 })],
    ["memory", { mem_limit: 268_435_456 }, host({ Memory: 268_435_456 })],
    ["network mode", { network_mode: "host" }, host({ NetworkMode: "host" })],
    ["memory to keep", { mem_reservation: 64 }, host({ MemoryReservation: 64 })],
    ["CPUs to keep are no business of the engine", { cpu_reservation: 1 }, {}],
    ["working folder", { working_dir: "/srv" }, { WorkingDir: "/srv" }],
    ["user", { user: "1000:1000" }, { User: "1000:1000" }],
    ["hostname", { hostname: "w-1" }, { Hostname: "w-1" }],
    ["init", { init: false }, host({ Init: false })],
    ["tmpfs", { tmpfs: { "/tmp": "size=1m" } }, host({ Tmpfs: { "/tmp": "size=1m" } })],
    [
      "logging",
      { logging: { driver: "json-file", options: { "max-size": "10m" } } },
      host({ LogConfig: { Type: "json-file", Config: { "max-size": "10m" } } }),
    ],
    [
      "health check in nanoseconds",
      {
        healthcheck: {
          test: ["CMD", "ok"],
          interval: 1.5,
          timeout: 3,
          start_period: 0,
          retries: 2,
        },
      },
      {
        Healthcheck: {
          Test: ["CMD", "ok"],
          Interval: 1_500_000_000,
          Timeout: 3_000_000_000,
          StartPeriod: 0,
          Retries: 2,
        },
      },
    ],
    [
      "image's own test, other retries",
      { healthcheck: { retries: 9 } },
      { Healthcheck: { Retries: 9 } },
    ],
    ["health check off", { healthcheck: { test: ["NONE"] } }, { Healthcheck: { Test: ["NONE"] } }],
    ["runtime", { runtime: "runsc" }, host({ Runtime: "runsc" })],
    ["privileged", { privileged: true }, host({ Privileged: true })],
    [
      "capabilities",
      { cap_add: ["CHOWN"], cap_drop: ["ALL"] },
      host({ CapAdd: ["CHOWN"], CapDrop: ["ALL"] }),
    ],
    [
      "security options",
      { security_opt: ["no-new-privileges=true"] },
      host({ SecurityOpt: ["no-new-privileges=true"] }),
    ],
    [
      "open paths of the kernel",
      { security_opt: ["label=disable", "systempaths=unconfined"] },
      host({ SecurityOpt: ["label=disable"], MaskedPaths: [], ReadonlyPaths: [] }),
    ],
    [
      "open paths alone",
      { security_opt: ["systempaths=unconfined"] },
      host({ MaskedPaths: [], ReadonlyPaths: [] }),
    ],
    ["a root to read only", { read_only: true }, host({ ReadonlyRootfs: true })],
    ["further groups", { group_add: ["44", "audio"] }, host({ GroupAdd: ["44", "audio"] })],
    [
      "namespaces",
      { userns_mode: "host", ipc: "shareable", pid: "container:db" },
      host({ UsernsMode: "host", IpcMode: "shareable", PidMode: "container:db" }),
    ],
    [
      "ulimits, sorted",
      { ulimits: { nproc: { soft: 64, hard: -1 }, nofile: { soft: 1024, hard: 2048 } } },
      host({
        Ulimits: [
          { Name: "nofile", Soft: 1024, Hard: 2048 },
          { Name: "nproc", Soft: 64, Hard: -1 },
        ],
      }),
    ],
    ["sysctls", { sysctls: { "net.a": "1" } }, host({ Sysctls: { "net.a": "1" } })],
    ["shared memory", { shm_size: 1024 }, host({ ShmSize: 1024 })],
    [
      "swap",
      { memswap_limit: -1, mem_swappiness: 0 },
      host({ MemorySwap: -1, MemorySwappiness: 0 }),
    ],
    ["who goes first out of memory", { oom_score_adj: -500 }, host({ OomScoreAdj: -500 })],
    [
      "name servers, in their order",
      { dns: ["8.8.8.8", "1.1.1.1"], dns_search: ["b", "a"], dns_opt: ["ndots:1"] },
      host({ Dns: ["8.8.8.8", "1.1.1.1"], DnsSearch: ["b", "a"], DnsOptions: ["ndots:1"] }),
    ],
    [
      "further hosts, by name, IPv6 without brackets",
      { extra_hosts: { z: ["host-gateway"], db: ["10.0.0.2", "[::1]", "fe80::1"] } },
      host({ ExtraHosts: ["db:10.0.0.2", "db:::1", "db:fe80::1", "z:host-gateway"] }),
    ],
    [
      "devices",
      { devices: [{ source: "/dev/a", target: "/dev/b", permissions: "rwm" }] },
      host({
        Devices: [{ PathOnHost: "/dev/a", PathInContainer: "/dev/b", CgroupPermissions: "rwm" }],
      }),
    ],
    [
      "devices by what they can do",
      {
        device_requests: [
          { driver: "nvidia", count: -1, capabilities: ["gpu", "utility"] },
          { device_ids: ["0"], capabilities: ["gpu"], options: { b: "2", a: "1" } },
          { driver: "cdi", device_ids: ["acme.com/x=1"], capabilities: [] },
        ],
      },
      host({
        DeviceRequests: [
          { Driver: "nvidia", Count: -1, Capabilities: [["gpu", "utility"]] },
          { DeviceIDs: ["0"], Capabilities: [["gpu"]], Options: { a: "1", b: "2" } },
          { Driver: "cdi", DeviceIDs: ["acme.com/x=1"] },
        ],
      }),
    ],
    [
      "files of secrets and configs, which are not made where they are missing",
      {
        secrets: [{ file: "/srv/token", target: "/run/secrets/token", content: "d" }],
        configs: [{ file: "/srv/a.yml", target: "/a.yml", content: "d" }],
      },
      host({
        Mounts: [
          { Type: "bind", Source: "/srv/token", Target: "/run/secrets/token", ReadOnly: true },
          { Type: "bind", Source: "/srv/a.yml", Target: "/a.yml", ReadOnly: true },
        ],
      }),
    ],
    ["a platform is no part of the body", { platform: "linux/arm64" }, {}],
  ])("%s", (_, template, expected) => {
    expect(bodyOf(template)).toEqual({ ...BARE, ...expected });
  });

  it("takes the labels of the request, sorted, and not those of the template", () => {
    const template: Template = { image: "mailer:1", labels: { mine: "x" } };
    const { body } = encodeCreation({ name: "w", labels: { z: "1", a: "2" }, template }, 51);
    expect(JSON.stringify(body["Labels"])).toBe('{"a":"2","z":"1"}');
  });
});

describe("volumes", () => {
  it.each<[string, NonNullable<Template["volumes"]>[number], object]>([
    [
      "a bind, in the form that makes the folder",
      { type: "bind", source: "/srv/in", target: "/in" },
      { Binds: ["/srv/in:/in"] },
    ],
    [
      "a bind to relabel",
      { type: "bind", source: "/srv/in", target: "/in", read_only: true, selinux: "Z" },
      { Binds: ["/srv/in:/in:ro,Z"] },
    ],
    [
      "a volume to relabel",
      { type: "volume", source: "data", target: "/in", selinux: "z" },
      { Binds: ["data:/in:rw,z"] },
    ],
    [
      "a read-only bind",
      { type: "bind", source: "/srv/in", target: "/in", read_only: true },
      { Binds: ["/srv/in:/in:ro"] },
    ],
    [
      "a bind with a colon in its path",
      { type: "bind", source: "/srv/a:b", target: "/in" },
      {
        Mounts: [
          {
            ...{ Type: "bind", Source: "/srv/a:b", Target: "/in" },
            BindOptions: { CreateMountpoint: true },
          },
        ],
      },
    ],
    [
      "a named volume",
      { type: "volume", source: "cache", target: "/cache", read_only: true },
      { Binds: ["cache:/cache:ro"] },
    ],
    [
      "an anonymous volume",
      { type: "volume", target: "/tmp/x" },
      { Mounts: [{ Type: "volume", Target: "/tmp/x" }] },
    ],
  ])("%s", (_, mount, expected) => {
    expect(bodyOf({ volumes: [mount] })).toEqual({ ...BARE, ...host(expected) });
  });
});

describe("volumes in the long form", () => {
  const mountsOf = (volume: Volume, version = 51) =>
    bodyOf({ volumes: [volume] }, version).HostConfig;

  it.each<[string, Volume, object]>([
    [
      "a bind whose folder is not made",
      {
        type: "bind",
        source: "/in",
        target: "/in",
        create_host_path: false,
        propagation: "rslave",
      },
      { Type: "bind", Source: "/in", Target: "/in", BindOptions: { Propagation: "rslave" } },
    ],
    [
      "a volume that stays empty, at a path with a colon",
      { type: "volume", source: "data", target: "/d:t", nocopy: true },
      { Type: "volume", Source: "data", Target: "/d:t", VolumeOptions: { NoCopy: true } },
    ],
    [
      "a folder of a volume",
      { type: "volume", source: "data", target: "/data", subpath: "mail/in" },
      { Type: "volume", Source: "data", Target: "/data", VolumeOptions: { Subpath: "mail/in" } },
    ],
  ])("%s", (_, volume, expected) => {
    expect(mountsOf(volume)).toMatchObject({ Binds: [], Mounts: [expected] });
  });

  it("cannot be told to make a folder before API 1.42", () => {
    const colon: Volume = { type: "bind", source: "/a:b", target: "/in" };
    const asked = { Type: "bind", Source: "/a:b", Target: "/in" };
    expect(mountsOf(colon, 41).Mounts).toEqual([asked]);
    expect(mountsOf(colon, 42).Mounts).toEqual([
      { ...asked, BindOptions: { CreateMountpoint: true } },
    ]);
  });

  it("says all it has in the short form, where that is the one", () => {
    const bind: Volume = {
      ...{ type: "bind", source: "/in", target: "/in", read_only: true },
      ...{ selinux: "z", propagation: "shared" },
    };
    const volume: Volume = {
      ...{ type: "volume", source: "data", target: "/data", selinux: "z", nocopy: true },
    };
    expect(bodyOf({ volumes: [bind, volume] }).HostConfig.Binds).toEqual([
      "/in:/in:ro,z,shared",
      "data:/data:rw,z,nocopy",
    ]);
  });

  it.each<[string, Volume, number, RegExp]>([
    [
      "a subpath before API 1.45",
      { type: "volume", source: "data", target: "/data", subpath: "mail" },
      44,
      /^cannot create the container w: the engine cannot mount mail, a folder of a volume$/,
    ],
    [
      "a label for what the short form cannot name",
      { type: "bind", source: "/a:b", target: "/in", selinux: "Z" },
      51,
      /cannot relabel the mount at \/in \(selinux Z\)$/,
    ],
    [
      "a label for a folder that must be there",
      { type: "bind", source: "/in", target: "/in", selinux: "z", create_host_path: false },
      51,
      /cannot relabel the mount at \/in/,
    ],
  ])("refuses %s, and leaves nothing out in silence", (_, volume, version, message) => {
    const refused = () => bodyOf({ volumes: [volume] }, version);
    expect(refused).toThrow(message);
    expect(refused).toThrow(expect.objectContaining({ code: "engine-rejected" }));
  });
});

it("asks for a platform beside the body", () => {
  const queryOf = (template: Template) =>
    encodeCreation({ name: "w", labels: {}, template }, 41).query;
  expect(queryOf({ image: "a", platform: "linux/arm64" })).toEqual({ platform: "linux/arm64" });
  expect(queryOf({ image: "a" })).toEqual({});
});

it("publishes ports, several of one container port together", () => {
  const { ExposedPorts, HostConfig } = bodyOf({
    ports: [
      { target: 80, published: "8081", protocol: "tcp" },
      { target: 53, protocol: "udp", host_ip: "127.0.0.1" },
      { target: 80, published: "8080", protocol: "tcp" },
    ],
  });
  expect(ExposedPorts).toEqual({ "53/udp": {}, "80/tcp": {} });
  expect(HostConfig.PortBindings).toEqual({
    "53/udp": [{ HostIp: "127.0.0.1", HostPort: "" }],
    "80/tcp": [
      { HostIp: "", HostPort: "8081" },
      { HostIp: "", HostPort: "8080" },
    ],
  });
});

describe("networks", () => {
  const networks = { shop: { aliases: ["mail"] }, back: {} };
  const creationFor = (version: number) =>
    encodeCreation({ name: "w", labels: {}, template: { image: "i", networks } }, version);

  it("all at once from API 1.44 on, the first by name being the mode", () => {
    const { body, connections } = creationFor(44);
    expect(body).toMatchObject({
      HostConfig: { NetworkMode: "back" },
      NetworkingConfig: { EndpointsConfig: { back: {}, shop: { Aliases: ["mail"] } } },
    });
    expect(connections).toEqual([]);
  });

  it("one at once before, the others to be connected", () => {
    const { body, connections } = creationFor(43);
    expect(body["NetworkingConfig"]).toEqual({ EndpointsConfig: { back: {} } });
    expect(connections).toEqual([{ network: "shop", endpoint: { Aliases: ["mail"] } }]);
  });

  it("none given leaves the choice to the engine", () => {
    expect(bodyOf({})).not.toHaveProperty("NetworkingConfig");
  });
});

it("gives the same bytes whatever the order of the input", () => {
  const one = bodyOf({ environment: { A: "1", B: "2" }, networks: { x: {}, y: {} } });
  const other = bodyOf({ networks: { y: {}, x: {} }, environment: { B: "2", A: "1" } });
  expect(JSON.stringify(one)).toBe(JSON.stringify(other));
});

it.each([
  ["no", { Name: "no" }],
  ["unless-stopped", { Name: "unless-stopped" }],
  ["on-failure", { Name: "on-failure" }],
  ["on-failure:5", { Name: "on-failure", MaximumRetryCount: 5 }],
])("encodes the restart policy %s", (policy, expected) => {
  expect(JSON.parse(JSON.stringify(encodeRestartPolicy(policy)))).toEqual(expected);
});
