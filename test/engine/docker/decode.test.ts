import { describe, expect, it } from "vitest";
import { decodeHolder, decodeList, decodeWorker } from "../../../src/engine/docker/decode.ts";
import { root } from "../../../src/engine/docker/wire.ts";
import { NOON, wireContainer, wireLine, wireState } from "./builders.ts";

const decode = (changes: Readonly<Record<string, unknown>> = {}) =>
  decodeWorker(root(wireContainer(changes), "container"));

const decodeState = (changes: Readonly<Record<string, unknown>>) =>
  decode({ State: wireState(changes) }).run;

const NEVER = "0001-01-01T00:00:00Z";
const started = { startedAt: NOON + 1000 };

it("decodes a whole container", () => {
  const container = decode({
    Config: { Labels: { a: "b" }, StopSignal: "QUIT", StopTimeout: 45 },
    RestartCount: 2,
    HostConfig: {
      RestartPolicy: { Name: "on-failure", MaximumRetryCount: 5 },
      ...{ NanoCpus: 5e8, Memory: 64 * 1024 ** 2, PidsLimit: 50 },
    },
    NetworkSettings: {
      Networks: { shop_default: {}, bridge: {} },
      Ports: {
        "80/tcp": [
          { HostIp: "0.0.0.0", HostPort: "10080" },
          { HostIp: "::", HostPort: "10080" },
        ],
        "81/udp": [{ HostIp: "127.0.0.1", HostPort: "981" }],
        "82/tcp": null,
      },
    },
  });
  expect(container).toEqual({
    id: "c".repeat(64),
    name: "mailer-1-1f2e3d4c",
    labels: { a: "b" },
    imageId: "sha256:aa",
    createdAt: NOON + 500,
    run: { kind: "running", startedAt: NOON + 1000 },
    restartCount: 2,
    restartPolicy: "on-failure:5",
    limits: { cpus: 0.5, memory: 64 * 1024 ** 2, pids: 50 },
    networks: ["bridge", "shop_default"],
    hostPorts: [981, 10_080],
    stopSignal: "SIGQUIT",
    stopTimeout: 45,
  });
});

it("reads what Go leaves out or writes as null", () => {
  const container = decode({
    Config: { Labels: null },
    HostConfig: { RestartPolicy: null },
    NetworkSettings: { Networks: null },
    RestartCount: undefined,
  });
  expect(container).toMatchObject({
    labels: {},
    restartPolicy: "no",
    limits: {},
    networks: [],
    restartCount: 0,
  });
  expect(container).not.toHaveProperty("stopSignal");
  expect(container).not.toHaveProperty("stopTimeout");
});

it.each([
  [{ Name: "", MaximumRetryCount: 0 }, "no"],
  [{ Name: "no" }, "no"],
  [{ Name: "always", MaximumRetryCount: 0 }, "always"],
  [{ Name: "unless-stopped" }, "unless-stopped"],
  [{ Name: "on-failure", MaximumRetryCount: 0 }, "on-failure"],
  [{ Name: "on-failure", MaximumRetryCount: 3 }, "on-failure:3"],
])("writes the restart policy %j as Compose does", (policy, expected) => {
  expect(decode({ HostConfig: { RestartPolicy: policy } }).restartPolicy).toBe(expected);
});

it.each([
  [{ NanoCpus: 1_500_000_000 }, { cpus: 1.5 }],
  [{ CpuQuota: 50_000, CpuPeriod: 0 }, { cpus: 0.5 }],
  [{ CpuQuota: 50_000, CpuPeriod: 200_000 }, { cpus: 0.25 }],
  [{ NanoCpus: 0, CpuQuota: 0, Memory: 0, PidsLimit: 0 }, {}],
  [{ NanoCpus: null, CpuQuota: -1, Memory: null, PidsLimit: -1 }, {}],
  [
    { Memory: 6_291_456, MemorySwap: -1 },
    { memory: 6_291_456, swap: -1 },
  ],
  [{ Memory: 6_291_456, MemorySwap: 12_582_912 }, { memory: 6_291_456 }],
  [
    { Memory: 6_291_456, MemorySwap: 6_291_456 },
    { memory: 6_291_456, swap: 6_291_456 },
  ],
  [{ Memory: 0, MemorySwap: 0 }, {}],
])("reads the limits %j", (host, limits) => {
  expect(decode({ HostConfig: host }).limits).toEqual(limits);
});

describe("run state", () => {
  it.each([
    ["created, never started", { Status: "created", StartedAt: NEVER }, { kind: "created" }],
    [
      "refused with words",
      { Status: "created", StartedAt: NEVER, ExitCode: 128, Error: "port is taken" },
      { kind: "created", error: "port is taken", exitCode: 128 },
    ],
    [
      "refused without words",
      { Status: "created", StartedAt: NEVER, ExitCode: 127 },
      { kind: "created", error: "the start was refused with exit code 127", exitCode: 127 },
    ],
    ["running", {}, { kind: "running", ...started }],
    [
      "restarting, which the engine also calls running",
      { Status: "restarting", Running: true, ExitCode: 3 },
      { kind: "restarting", ...started, exitCode: 3 },
    ],
    ["paused", { Status: "paused", Running: true }, { kind: "paused", ...started }],
    [
      "exited",
      { Status: "exited", ExitCode: 137, OOMKilled: true, FinishedAt: "2026-11-29T12:00:02Z" },
      { kind: "exited", ...started, finishedAt: NOON + 2000, exitCode: 137, oomKilled: true },
    ],
    [
      "exited because a restart was refused",
      { Status: "exited", ExitCode: 128, Error: "no", FinishedAt: "2026-11-29T13:00:02+01:00" },
      {
        kind: "exited",
        ...started,
        finishedAt: NOON + 2000,
        exitCode: 128,
        oomKilled: false,
        error: "no",
      },
    ],
    ["removing", { Status: "removing" }, { kind: "removing" }],
    ["dead", { Status: "dead" }, { kind: "dead" }],
  ])("%s", (_, state, expected) => {
    expect(decodeState(state)).toEqual(expected);
  });
});

describe("health", () => {
  const probe = (second: number, exitCode: number) => ({
    Start: `2026-11-29T12:00:0${second}Z`,
    End: `2026-11-29T12:00:0${second}.250Z`,
    ExitCode: exitCode,
    Output: "never looked at",
  });

  it("takes the verdict, the log and the retries", () => {
    const container = decode({
      State: wireState({ Health: { Status: "unhealthy", Log: [probe(3, 0), probe(4, 1)] } }),
      Config: { Healthcheck: { Test: ["CMD", "true"], Retries: 2 } },
    });
    expect(container.run).toEqual({
      kind: "running",
      ...started,
      health: {
        status: "unhealthy",
        retries: 2,
        log: [
          { startedAt: NOON + 3000, finishedAt: NOON + 3250, ok: true },
          { startedAt: NOON + 4000, finishedAt: NOON + 4250, ok: false },
        ],
      },
    });
  });

  it.each([undefined, { Retries: 0 }, {}])("has three retries by default: %j", (healthcheck) => {
    const container = decode({
      State: wireState({ Health: { Status: "starting", Log: null } }),
      Config: { Healthcheck: healthcheck },
    });
    expect(container.run).toMatchObject({ health: { status: "starting", retries: 3, log: [] } });
  });

  it.each([undefined, null, { Status: "none" }, { Status: "" }])("is absent for %j", (health) => {
    expect(decodeState({ Health: health })).not.toHaveProperty("health");
  });
});

describe("nonsense is refused and named", () => {
  it.each([
    [{ Id: 5 }, "container.Id is number, expected a text"],
    [{ Id: undefined }, "container.Id is undefined, expected a text"],
    [{ Name: ["a"] }, "container.Name is a list, expected a text"],
    [{ State: "running" }, "container.State is string, expected an object"],
    [{ State: undefined }, "container.State.Status is undefined, expected a text"],
    [{ State: wireState({ Status: "sleeping" }) }, 'container.State.Status is "sleeping"'],
    [{ State: wireState({ StartedAt: NEVER }) }, "container.State.StartedAt"],
    [{ State: wireState({ StartedAt: "yesterday" }) }, "container.State.StartedAt"],
    [{ State: wireState({ Health: { Status: "fine" } }) }, 'Health.Status is "fine"'],
    [{ Created: "" }, "container.Created"],
    [{ RestartCount: "3" }, "container.RestartCount is string, expected a number"],
    [{ Config: { Labels: { a: 1 } } }, "container.Config.Labels.a is number, expected a text"],
    [{ Config: [] }, "container.Config is a list, expected an object"],
  ])("%j", (changes, message) => {
    expect(() => decode(changes)).toThrow(
      expect.objectContaining({ code: "engine-failed", message: expect.stringContaining(message) }),
    );
  });

  it("never repeats a value, which may be a secret", () => {
    expect(() => decode({ Config: { Labels: "s3cret" } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("s3cret") }),
    );
  });
});

it("decodes a list, and one of no containers", () => {
  expect(decodeList(root([wireLine("a"), wireLine("b", ["/b", "/b.stopping-1"])], "list"))).toEqual(
    [
      { id: "a", name: "a", labels: { "dev.wgctl.uid": "u1" } },
      { id: "b", name: "b", labels: { "dev.wgctl.uid": "u1" } },
    ],
  );
  expect(() => decodeList(root(null, "list"))).toThrow("list is null, expected a list");
  expect(() => decodeList(root({}, "list"))).toThrow("list is object, expected a list");
});

it("tells whose a container is, whatever state it is in", () => {
  const container = wireContainer({ State: { Status: "unheard of" } });
  expect(decodeHolder(root(container, "container"))).toEqual({
    id: "c".repeat(64),
    name: "mailer-1-1f2e3d4c",
    labels: { "dev.wgctl.uid": "u1" },
  });
});
