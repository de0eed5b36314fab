import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EngineChoice, resolveEngine } from "../../../src/engine/docker/resolve.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-dockerconfig-"));
  for (const name of ["prod", "current", "shell"]) await writeContext(name, `tcp://${name}:2375`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function writeContext(name: string, host: string, skipVerify = false): Promise<string> {
  const id = createHash("sha256").update(name).digest("hex");
  const meta = join(folder, "contexts/meta", id);
  const tls = join(folder, "contexts/tls", id, "docker");
  await mkdir(meta, { recursive: true });
  const docker = { Host: host, SkipTLSVerify: skipVerify };
  await writeFile(
    join(meta, "meta.json"),
    JSON.stringify({ Name: name, Metadata: {}, Endpoints: { docker } }),
  );
  return tls;
}

const useContext = (name: string) =>
  writeFile(join(folder, "config.json"), JSON.stringify({ currentContext: name }));

async function writePems(into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const name of ["ca", "cert", "key"]) await writeFile(join(into, `${name}.pem`), name);
}

const resolve = (choice: EngineChoice, environment: Readonly<Record<string, string>> = {}) =>
  resolveEngine(choice, { DOCKER_CONFIG: folder, ...environment });

const PEMS = { ca: "ca", cert: "cert", key: "key" };

describe("what wins, from the strongest on", () => {
  const all = { DOCKER_HOST: "tcp://env:1", DOCKER_CONTEXT: "shell" };
  it.each<[string, EngineChoice, Readonly<Record<string, string>>, string, string | undefined]>([
    ["--host", { host: "tcp://flag:1", projectContext: "prod" }, all, "tcp://flag:1", undefined],
    ["--context", { context: "prod", projectContext: "shell" }, all, "tcp://prod:2375", "prod"],
    ["the project", { projectContext: "prod" }, all, "tcp://prod:2375", "prod"],
    ["DOCKER_HOST", {}, all, "tcp://env:1", "default"],
    ["DOCKER_CONTEXT", {}, { DOCKER_CONTEXT: "shell" }, "tcp://shell:2375", "shell"],
    ["the current context", {}, {}, "tcp://current:2375", "current"],
    [
      "empty variables count as unset",
      {},
      { DOCKER_HOST: "", DOCKER_CONTEXT: "" },
      "tcp://current:2375",
      "current",
    ],
  ])("%s", async (_, choice, environment, endpoint, context) => {
    await useContext("current");
    const { endpoint: found, context: name } = await resolve(choice, environment);
    expect({ endpoint: found, context: name }).toEqual({ endpoint, context });
  });

  it("the default socket, without any config", async () => {
    await rm(folder, { recursive: true });
    expect(await resolve({})).toEqual({
      endpoint: "unix:///var/run/docker.sock",
      route: { kind: "unix", path: "/var/run/docker.sock" },
      context: "default",
    });
  });

  it("the config in the home folder, where DOCKER_CONFIG is unset", async () => {
    await mkdir(join(folder, ".docker"));
    await writeFile(join(folder, ".docker/config.json"), '{"currentContext":"gone"}');
    await expect(resolveEngine({}, { HOME: folder })).rejects.toThrow('no docker context "gone"');
  });

  it("the context `default` means DOCKER_HOST, else the default socket, whatever is current", async () => {
    await useContext("current");
    expect((await resolve({ context: "default" })).endpoint).toBe("unix:///var/run/docker.sock");
    const withHost = await resolve({ projectContext: "default" }, { DOCKER_HOST: "tcp://env:1" });
    expect(withHost.endpoint).toBe("tcp://env:1");
  });
});

describe("TLS", () => {
  it("of a context comes from its folder", async () => {
    await writePems(await writeContext("secure", "tcp://secure:2376"));
    const { route } = await resolve({ context: "secure" });
    expect(route).toMatchObject({ tls: { ...PEMS, verify: true } });
  });

  it("of a context may skip the check of the server", async () => {
    await writeContext("lax", "tcp://lax:2376", true);
    const { route } = await resolve({ context: "lax" });
    expect(route).toMatchObject({ tls: { ca: undefined, verify: false } });
  });

  it.each([
    [{ DOCKER_TLS_VERIFY: "1" }, { ...PEMS, verify: true }],
    [{ DOCKER_TLS: "1" }, { ...PEMS, verify: false }],
    [{}, undefined],
    [{ DOCKER_TLS_VERIFY: "" }, undefined],
  ])("by %j", async (variables, tls) => {
    const certs = join(folder, "certs");
    await writePems(certs);
    const environment = { DOCKER_HOST: "tcp://build", DOCKER_CERT_PATH: certs, ...variables };
    expect((await resolve({}, environment)).route).toMatchObject({ tls });
  });

  it("finds its certificates in the docker config where no path is given", async () => {
    await writePems(folder);
    const environment = { DOCKER_HOST: "tcp://build", DOCKER_TLS_VERIFY: "1" };
    expect((await resolve({}, environment)).route).toMatchObject({ tls: PEMS, port: 2376 });
  });

  it("needs no certificates for a unix socket", async () => {
    const environment = { DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: "/nowhere" };
    expect((await resolve({ host: "unix:///s" }, environment)).route.kind).toBe("unix");
  });
});

describe("bad usage", () => {
  it.each<[string, EngineChoice, Readonly<Record<string, string>>, string]>([
    ["an unknown context", { context: "nope" }, {}, '"nope" (from --context)'],
    [
      "an unknown context of the project",
      { projectContext: "nope" },
      {},
      "(from the project file)",
    ],
    ["an unknown context of the shell", {}, { DOCKER_CONTEXT: "nope" }, "(from DOCKER_CONTEXT)"],
    ["both flags", { host: "tcp://a", context: "b" }, {}, "both --host and --context"],
    ["a bad DOCKER_HOST", {}, { DOCKER_HOST: "fd://" }, '"fd://" from DOCKER_HOST'],
    [
      "a folder without certificates",
      { host: "tcp://a" },
      { DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: "/nowhere" },
      "/nowhere (DOCKER_CERT_PATH)",
    ],
  ])("%s", async (_, choice, environment, message) => {
    await expect(resolve(choice, environment)).rejects.toThrow(
      expect.objectContaining({ code: "bad-usage", message: expect.stringContaining(message) }),
    );
  });

  it.each(["{", '{"currentContext": 5}', "[]"])("a config file of %s", async (text) => {
    await writeFile(join(folder, "config.json"), text);
    await expect(resolve({})).rejects.toThrow(expect.objectContaining({ code: "bad-usage" }));
  });

  it("a context without a docker engine", async () => {
    const id = createHash("sha256").update("k8s").digest("hex");
    const meta = join(folder, "contexts/meta", id);
    await mkdir(meta, { recursive: true });
    await writeFile(join(meta, "meta.json"), '{"Endpoints":{}}');
    await expect(resolve({ context: "k8s" })).rejects.toThrow("names no docker engine");
  });
});
