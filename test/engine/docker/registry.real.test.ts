// Pulls from a registry of our own that asks for a password, through the real engine.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callApi, callJson, parseHost } from "../../../scripts/lib/docker-api.mjs";
import { findProgram } from "../../../scripts/lib/process.mjs";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import { resolveEngine } from "../../../src/engine/docker/resolve.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { newRunId, testHost } from "../../support/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";
import { waitFor } from "../../support/wait.ts";

// Elsewhere there may be no registry program, and none is installed on somebody's machine for a test.
const possible = findProgram("docker-registry") !== undefined || process.getuid?.() === 0;

const never = new AbortController().signal;
const PASSWORD = "s3cret";
/** `me` and the password above, as htpasswd writes it with bcrypt. */
const HTPASSWD = "me:$2y$05$abcdefghijklmnopqrstuuLK7U1u6pVRmL7L1BBM2aS35PSZnDXlK\n";

describe.runIf(possible)("a registry with a password", () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const registry = `127.0.0.1:${port}`;
  const repository = `${registry}/${newRunId()}/worker`;
  const engines: Engine[] = [];
  let folder: string;
  let server: ChildProcess;
  let digest: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "wgctl-registry-"));
    await writeFile(join(folder, "htpasswd"), HTPASSWD);
    await writeFile(join(folder, "config.yml"), JSON.stringify(settings()));
    server = await startRegistry();
    digest = await push();
  });
  afterAll(async () => {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
    for (const reference of [`${repository}:1`, `${repository}@${digest}`]) {
      await callApi(testHost(), "DELETE", `/images/${reference}`);
    }
  });

  // JSON is YAML.
  const settings = () => ({
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, "data") } },
    http: { addr: registry },
    auth: { htpasswd: { realm: "test", path: join(folder, "htpasswd") } },
  });

  /** Runs where the engine's 127.0.0.1 is, which may be a network namespace of its own. */
  async function startRegistry(): Promise<ChildProcess> {
    const netns = process.env["WGCTL_TEST_NETNS"];
    const command = ["docker-registry", "serve", join(folder, "config.yml")];
    const [program = "", ...args] = netns ? ["nsenter", `--net=${netns}`, ...command] : command;
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (words: string) => {
      said += words;
    });
    await waitFor("the registry", () => {
      if (child.exitCode !== null) throw new Error(`the registry ended:\n${said}`);
      return said.includes("listening on");
    });
    return child;
  }

  /** Puts the worker image there and answers with its digest. */
  async function push(): Promise<string> {
    const query = new URLSearchParams({ repo: repository, tag: "1" });
    await callJson(testHost(), "POST", `/images/${TEST_IMAGE}/tag?${query}`);
    const auth = { username: "me", password: PASSWORD, serveraddress: registry };
    const said = await postWithAuth(`/images/${repository}/push?tag=1`, auth);
    await callApi(testHost(), "DELETE", `/images/${repository}:1`);
    const [, found] = /digest: (sha256:[0-9a-f]{64})/.exec(said) ?? [];
    if (found === undefined) throw new Error(`cannot push:\n${said}`);
    return found;
  }

  function postWithAuth(path: string, auth: object): Promise<string> {
    const headers = { "X-Registry-Auth": Buffer.from(JSON.stringify(auth)).toString("base64") };
    return new Promise((resolve, reject) => {
      const call = request({ ...parseHost(testHost()), method: "POST", path, headers });
      call.on("response", (answer) => resolve(text(answer)));
      call.on("error", reject);
      call.end();
    });
  }

  /** An engine whose user has this docker config. */
  async function openWith(config: object): Promise<Engine> {
    const home = await mkdtemp(join(folder, "home-"));
    await mkdir(join(home, "bin"));
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    const helper = `#!/bin/sh\necho '{"ServerURL":"","Username":"me","Secret":"${PASSWORD}"}'\n`;
    await writeFile(join(home, "bin/docker-credential-test"), helper, { mode: 0o755 });
    const environment = { DOCKER_CONFIG: home, PATH: `${home}/bin:${process.env["PATH"]}` };
    const engine = openDockerEngine(await resolveEngine({ host: testHost() }, {}), { environment });
    engines.push(engine);
    return engine;
  }

  const inFile = (password: string) => ({
    auths: { [registry]: { auth: Buffer.from(`me:${password}`).toString("base64") } },
  });
  const idOf = async (engine: Engine, reference: string) =>
    (await engine.resolveImages([reference], never))[reference]?.id ?? null;

  it.each<[string, () => object]>([
    ["the config file", () => inFile(PASSWORD)],
    ["a helper for this registry", () => ({ credHelpers: { [registry]: "test" } })],
    ["the store", () => ({ credsStore: "test" })],
  ])("lets in with credentials from %s", async (_, config) => {
    const engine = await openWith(config());
    const reference = `${repository}:1`;
    expect(await idOf(engine, reference)).toBeNull();
    const lines: string[] = [];
    await engine.pullImage(reference, (line) => lines.push(line), never);
    expect(await idOf(engine, reference)).toMatch(/^sha256:/);
    expect(lines.join("\n")).toContain("Status: Downloaded newer image");
  });

  it("tells the digest to who may know it, and nothing is pulled", async () => {
    const engine = await openWith(inFile(PASSWORD));
    expect(await engine.findDigest(`${repository}:1`, never)).toBe(digest);
    expect(await idOf(engine, `${repository}:1`)).toBeNull();
  });

  it.each<[string, () => object]>([
    ["a wrong password", () => inFile("wrong")],
    ["no credentials", () => ({})],
  ])("tells no digest with %s", async (_, config) => {
    const engine = await openWith(config());
    await expect(engine.findDigest(`${repository}:1`, never)).rejects.toMatchObject({
      code: "engine-denied",
      hint: `log in first: docker login ${registry}`,
    });
  });

  it("gives an image by its digest", async () => {
    const engine = await openWith(inFile(PASSWORD));
    const reference = `${repository}@${digest}`;
    await engine.pullImage(reference, () => undefined, never);
    expect(await idOf(engine, reference)).toMatch(/^sha256:/);
  });

  it.each<[string, () => object]>([
    ["a wrong password", () => inFile("wrong")],
    ["no credentials", () => ({})],
  ])("denies with %s, and says to log in", async (_, config) => {
    const engine = await openWith(config());
    await expect(engine.pullImage(`${repository}:1`, () => undefined, never)).rejects.toMatchObject(
      {
        code: "engine-denied",
        message: expect.stringMatching(/unauthorized|no basic auth/),
        hint: `log in first: docker login ${registry}`,
      },
    );
  });

  it.each(["worker:2", "nothing:1"])("does not know %s", async (name) => {
    const engine = await openWith(inFile(PASSWORD));
    const reference = `${repository.replace(/worker$/, "")}${name}`;
    await expect(engine.pullImage(reference, () => undefined, never)).rejects.toMatchObject({
      code: "engine-not-found",
      message: expect.stringContaining(reference),
    });
  });

  it("that is not there is a failure that may pass", async () => {
    const engine = await openWith({});
    await expect(
      engine.pullImage("127.0.0.1:9/worker:1", () => undefined, never),
    ).rejects.toMatchObject({
      code: "engine-failed",
      message: expect.stringContaining("connection refused"),
    });
  });
});
