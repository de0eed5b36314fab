import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeCredentials, loadCredentials } from "../../../src/engine/docker/credentials.ts";

const never = new AbortController().signal;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-credentials-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const writeConfig = (config: object) =>
  writeFile(join(folder, "config.json"), JSON.stringify(config));

/** A credential helper on the PATH; `$asked` is what it was asked for. */
const writeHelper = (name: string, script: string) =>
  writeFile(
    join(folder, `docker-credential-${name}`),
    `#!/bin/sh\n[ "$1" = get ] || exit 9\nasked=$(cat)\n${script}\n`,
    { mode: 0o755 },
  );

const load = (registry: string) =>
  loadCredentials(
    registry,
    { DOCKER_CONFIG: folder, PATH: `${folder}:${process.env["PATH"]}` },
    never,
  );

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("in the config file", () => {
  it.each([
    ["a host", "reg.io:5000", "reg.io:5000", "reg.io:5000"],
    ["a URL", "https://reg.io/v2/", "reg.io", "reg.io"],
    ["Docker Hub", "https://index.docker.io/v1/", "docker.io", "https://index.docker.io/v1/"],
  ])("under %s", async (_, key, registry, serveraddress) => {
    await writeConfig({
      auths: { "other.io": { auth: base64("x:y") }, [key]: { auth: base64("me:a:b") } },
    });
    expect(await load(registry)).toEqual({ serveraddress, username: "me", password: "a:b" });
  });

  it("as an identity token", async () => {
    await writeConfig({ auths: { "reg.io": { auth: base64("me:"), identitytoken: "tok" } } });
    expect(await load("reg.io")).toEqual({ serveraddress: "reg.io", identitytoken: "tok" });
  });

  it.each([
    ["no file", undefined],
    ["nothing kept", {}],
    ["another registry", { auths: { "other.io": { auth: base64("me:pw") } } }],
    ["an entry left behind by a helper", { auths: { "reg.io": {} } }],
  ])("none: %s", async (_, config) => {
    if (config !== undefined) await writeConfig(config);
    expect(await load("reg.io")).toBeUndefined();
  });

  it("broken, is bad usage and repeats nothing of it", async () => {
    await writeConfig({ auths: { "reg.io": { auth: ["s3cret"] } } });
    const error = await load("reg.io").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "bad-usage" });
    expect(String(error)).not.toContain("s3cret");
  });
});

describe("from a helper", () => {
  const TELL =
    'echo "{\\"ServerURL\\":\\"$asked\\",\\"Username\\":\\"me\\",\\"Secret\\":\\"for $asked\\"}"';

  it.each([
    ["the store", { credsStore: "store" }, "reg.io", "reg.io"],
    [
      "the registry's own",
      { credsStore: "gone", credHelpers: { "reg.io": "store" } },
      "reg.io",
      "reg.io",
    ],
    [
      "Docker Hub's own",
      { credHelpers: { "https://index.docker.io/v1/": "store" } },
      "docker.io",
      "https://index.docker.io/v1/",
    ],
  ])("%s", async (_, config, registry, serveraddress) => {
    await writeConfig(config);
    await writeHelper("store", TELL);
    const password = `for ${serveraddress}`;
    expect(await load(registry)).toEqual({ serveraddress, username: "me", password });
  });

  it("as a token", async () => {
    await writeConfig({ credsStore: "store" });
    await writeHelper("store", `echo '{"ServerURL":"","Username":"<token>","Secret":"tok"}'`);
    expect(await load("reg.io")).toEqual({ serveraddress: "reg.io", identitytoken: "tok" });
  });

  it("that knows nothing leaves the file to answer", async () => {
    await writeConfig({ credsStore: "store", auths: { "reg.io": { auth: base64("me:pw") } } });
    await writeHelper("store", "echo 'credentials not found in native keychain'; exit 1");
    expect(await load("reg.io")).toMatchObject({ username: "me", password: "pw" });
    expect(await load("other.io")).toBeUndefined();
  });

  it.each([
    ["is not there", undefined, "ENOENT"],
    ["fails", "echo s3cret; echo s3cret >&2; exit 3", "exit code 3"],
    ["says nonsense", "echo '\"s3cret\"'", "does not answer with credentials"],
  ])("that %s is denied, without a word of its output", async (_, script, why) => {
    await writeConfig({ credsStore: "store" });
    if (script !== undefined) await writeHelper("store", script);
    const error = await load("reg.io").catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "engine-denied",
      message: expect.stringContaining("docker-credential-store failed"),
    });
    expect(String(error)).toContain(why);
    expect(String(error)).not.toContain("s3cret");
  });
});

it.each(["ÿ?>", "a", "ab", "abc"])("encodes for the header, padded: %s", (password) => {
  const credentials = { serveraddress: "reg.io", username: "me", password };
  const encoded = encodeCredentials(credentials);
  expect(encoded).toMatch(/^[\w-]+=*$/);
  expect(encoded.length % 4).toBe(0);
  expect(JSON.parse(Buffer.from(encoded, "base64url").toString())).toEqual(credentials);
});
