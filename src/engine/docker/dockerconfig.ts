// Reads what the docker CLI keeps on disk: its config file and its contexts. Never writes there.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { WgctlError } from "../../core/errors.ts";
import { errorCode } from "./failure.ts";
import type { TlsMaterial } from "./target.ts";
import { at, isAbsent, parseJson, readFlag, readText, root, type Wire } from "./wire.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a context of the docker CLI says about its engine. */
export type DockerContext = { readonly host: string; readonly tls: TlsMaterial | undefined };

/** `DOCKER_CONFIG`, or `.docker` in the home folder. */
export function configFolder(environment: Environment): string {
  return environment["DOCKER_CONFIG"] || join(environment["HOME"] || homedir(), ".docker");
}

/** The docker CLI's `config.json`; undefined: there is none. */
export async function loadDockerConfig(folder: string): Promise<Wire | undefined> {
  const file = join(folder, "config.json");
  const text = await readIfThere(file);
  return text === undefined ? undefined : parseFile(file, text);
}

/** A context by its name; an unknown one is `bad-usage`. `source` says who asked for it. */
export async function loadContext(
  folder: string,
  name: string,
  source: string,
): Promise<DockerContext> {
  const id = createHash("sha256").update(name).digest("hex");
  const file = join(folder, "contexts", "meta", id, "meta.json");
  const text = await readIfThere(file);
  if (text === undefined) throw unknownContext(name, source);
  const endpoint = at(parseFile(file, text), "Endpoints", "docker");
  const host = at(endpoint, "Host");
  if (isAbsent(host)) {
    throw new WgctlError("bad-usage", `the docker context "${name}" names no docker engine`, {
      hint: "choose another one: docker context ls",
    });
  }
  const skipVerify = readFlag(at(endpoint, "SkipTLSVerify"));
  const tlsFolder = join(folder, "contexts", "tls", id, "docker");
  return { host: readText(host), tls: await loadTls(tlsFolder, !skipVerify) };
}

function unknownContext(name: string, source: string): WgctlError {
  return new WgctlError("bad-usage", `there is no docker context "${name}" (from ${source})`, {
    hint: "list those there are: docker context ls",
  });
}

/** The three PEM files of a folder; undefined: there is none of them and verification is on. */
export async function loadTls(folder: string, verify: boolean): Promise<TlsMaterial | undefined> {
  const [ca, cert, key] = await Promise.all(
    ["ca.pem", "cert.pem", "key.pem"].map((name) => readIfThere(join(folder, name))),
  );
  const any = (ca ?? cert ?? key) !== undefined;
  return any || !verify ? { ca, cert, key, verify } : undefined;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return undefined;
    throw new WgctlError("bad-usage", `cannot read ${file}: ${errorCode(error)}`, { cause: error });
  }
}

function parseFile(file: string, text: string): Wire {
  try {
    return root(parseJson(text), file);
  } catch (error) {
    throw new WgctlError("bad-usage", `${file} is not valid JSON`, {
      hint: "repair it, or name the engine with --host",
      cause: error,
    });
  }
}
