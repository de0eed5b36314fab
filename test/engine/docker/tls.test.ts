import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { DockerClient } from "../../../src/engine/docker/client.ts";
import { resolveEngine } from "../../../src/engine/docker/resolve.ts";
import { answerJson, type FakeEngine, startFakeEngine } from "./fake-engine.ts";

const never = new AbortController().signal;
const CALL = { method: "GET", path: "/thing", what: "get the thing" } as const;

let folder: string;
let engine: FakeEngine;

const openssl = (...args: readonly string[]) =>
  execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`), "utf8");

/** Makes `name.pem` and `name-key.pem`, signed by the test's own authority. */
function makeCertificate(name: string, extension: string): void {
  writeFileSync(join(folder, "ext"), extension);
  openssl(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    `${name}-key.pem`,
    "-out",
    "csr",
    "-subj",
    `/CN=${name}`,
  );
  openssl(
    "x509",
    "-req",
    "-in",
    "csr",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca-key.pem",
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    "ext",
    "-out",
    `${name}.pem`,
  );
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wgctl-tls-"));
  openssl(
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    "ca-key.pem",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=test authority",
  );
  makeCertificate("server", "subjectAltName=IP:127.0.0.1");
  makeCertificate("stranger", "subjectAltName=DNS:somewhere.else");
  makeCertificate("cert", "extendedKeyUsage=clientAuth");
  writeFileSync(join(folder, "key.pem"), pem("cert-key"));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => engine.close());

/** A server that lets in only those with a certificate of the test's authority, as dockerd --tlsverify does. */
async function startTls(certificate: string): Promise<string> {
  engine = await startFakeEngine((_, answer) => answerJson(answer, { safe: true }), {
    tls: {
      ca: pem("ca"),
      cert: pem(certificate),
      key: pem(`${certificate}-key`),
      requestCert: true,
      rejectUnauthorized: true,
    },
  });
  return engine.target.endpoint;
}

async function call(environment: Readonly<Record<string, string>>): Promise<string> {
  const target = await resolveEngine({}, environment);
  const client = new DockerClient(target, { environment, requestTimeoutMs: 5000 });
  try {
    return (await client.call(CALL, never)).text;
  } finally {
    await client.close();
  }
}

it("speaks with a server that both sides' certificates are good for, on one connection", async () => {
  const environment = {
    DOCKER_HOST: await startTls("server"),
    DOCKER_TLS_VERIFY: "1",
    DOCKER_CERT_PATH: folder,
  };
  expect(await call(environment)).toBe('{"safe":true}');
  expect(engine.connections()).toBe(1);
});

it("does not check the server where it is told not to", async () => {
  const environment = {
    DOCKER_HOST: await startTls("stranger"),
    DOCKER_TLS: "1",
    DOCKER_CERT_PATH: folder,
  };
  expect(await call(environment)).toBe('{"safe":true}');
});

it.each<[string, string, () => Readonly<Record<string, string>>]>([
  [
    "a server of another name",
    "stranger",
    () => ({ DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: folder }),
  ],
  [
    "a server of an unknown authority",
    "server",
    () => ({ DOCKER_TLS_VERIFY: "1", DOCKER_CONFIG: "/nowhere" }),
  ],
])("refuses %s", async (_, certificate, variables) => {
  const environment = { DOCKER_HOST: await startTls(certificate), ...variables() };
  await expect(call(environment)).rejects.toMatchObject({
    code: "engine-unreachable",
    hint: expect.stringContaining("certificates"),
  });
});

it.each<[string, () => Readonly<Record<string, string>>]>([
  ["without a certificate", () => ({ DOCKER_TLS: "1", DOCKER_CONFIG: "/nowhere" })],
  ["in plain HTTP", () => ({})],
])("is not let in %s", async (_, variables) => {
  const environment = { DOCKER_HOST: await startTls("server"), ...variables() };
  await expect(call(environment)).rejects.toMatchObject({ code: "engine-unreachable" });
});
