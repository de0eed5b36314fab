// An image registry of a test's own, where the engine under test can reach it.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { callApi, callJson } from "../../scripts/lib/docker-api.mjs";
import { findProgram } from "../../scripts/lib/process.mjs";
import { testHost } from "../support/engine.ts";
import { waitFor } from "../support/wait.ts";
import type { Stage } from "./stage.ts";

/** False on a machine where no registry program is installed and none may be. */
export const hasRegistry = () => findProgram("docker-registry") !== undefined;

export type Registry = {
  /** `host:port`. */
  readonly address: string;
  /** Where it keeps what was pushed. */
  readonly folder: string;
  /** Ends it, and with it all that it has. */
  close(): void;
};

/** Starts a registry. A `closed` one lets nobody in. */
export async function startRegistry({ closed = false } = {}): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-registry-"));
  const address = `127.0.0.1:${randomInt(20_000, 30_000)}`;
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, "data") } },
    http: { addr: address },
    ...(closed ? { auth: { htpasswd: { realm: "test", path: join(folder, "nobody") } } } : {}),
  };
  await writeFile(join(folder, "nobody"), "");
  await writeFile(join(folder, "config.yml"), JSON.stringify(settings));
  const stop = await serve(join(folder, "config.yml"));
  const close = () => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, folder, close };
}

/** Starts a registry that ends with the test. */
export async function openRegistry(options: { readonly closed?: boolean } = {}): Promise<Registry> {
  const registry = await startRegistry(options);
  onTestFinished(() => registry.close());
  return registry;
}

/** Makes a tag of a repository mean what another one means, without the engine's doing. */
export function moveTag({ folder }: Registry, repository: string, tag: string, to: string): void {
  const tags = join(folder, "data/docker/registry/v2/repositories", repository, "_manifests/tags");
  mkdirSync(join(tags, tag, "current"), { recursive: true });
  copyFileSync(join(tags, to, "current/link"), join(tags, tag, "current/link"));
}

/** Runs where the engine's 127.0.0.1 is, which may be a network namespace of its own. */
async function serve(config: string): Promise<() => void> {
  const netns = process.env["WGCTL_TEST_NETNS"];
  const inside = netns ? ["nsenter", `--net=${netns}`] : [];
  const [program = "", ...args] = [...inside, "docker-registry", "serve", config];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (words: string) => {
    said += words;
  });
  await waitFor("the registry", () => {
    if (child.exitCode !== null) throw new Error(`the registry ended:\n${said}`);
    return said.includes("listening on");
  });
  return () => child.kill();
}

/** Makes a variant of the worker image that only the registry has; answers with its id. */
export async function publish(stage: Stage, reference: string, variant: string): Promise<string> {
  const id = await loadAs(stage, reference, variant);
  const { repository, tag } = splitTag(reference);
  await pushImage(repository, tag);
  for (const tagged of [reference, localName(stage, variant)]) await untag(tagged);
  return id;
}

/** Pushes what the engine has under that tag. */
export async function pushImage(repository: string, tag: string): Promise<void> {
  // an empty set of credentials in the body, where old and new engines look for them
  const path = `/images/${repository}/push?tag=${tag}`;
  const { text } = await callApi(testHost(), "POST", path, { body: {} });
  if (!text.includes("digest: sha256:"))
    throw new Error(`cannot push ${repository}:${tag}:\n${text}`);
}

/** Loads a variant of the worker image under the name of an image of a registry; answers with its id. */
export async function loadAs(stage: Stage, reference: string, variant: string): Promise<string> {
  const local = localName(stage, variant);
  const id = await stage.loadImage(local, variant);
  stage.claimImage(reference);
  const { repository, tag } = splitTag(reference);
  const query = new URLSearchParams({ repo: repository, tag });
  await callJson(testHost(), "POST", `/images/${local}/tag?${query}`);
  return id;
}

const localName = (stage: Stage, variant: string) => `wgctl-${stage.run}:${variant}`;

/** Takes a tag away; the image stays as long as it has another one, or a worker. */
export async function untag(reference: string): Promise<void> {
  await callJson(testHost(), "DELETE", `/images/${reference}`);
}

function splitTag(reference: string): { readonly repository: string; readonly tag: string } {
  const at = reference.lastIndexOf(":");
  return { repository: reference.slice(0, at), tag: reference.slice(at + 1) };
}
