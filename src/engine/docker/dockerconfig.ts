// Reads what the docker CLI keeps on disk: its config file and its contexts. Never writes there.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { WgctlError } from "../../core/errors.ts";
import { errorCode } from "./failure.ts";
import type { TlsMaterial } from "./target.ts";
import {
  at,
  parseJson,
  readFlag,
  readKeys,
  readOr,
  readText,
  readTexts,
  root,
  type Wire,
} from "./wire.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is used of the docker CLI's `config.json`; texts are empty where it says nothing. */
export type DockerConfig = {
  readonly currentContext: string;
  readonly credsStore: string;
  readonly credHelpers: Readonly<Record<string, string>>;
  readonly auths: Readonly<Record<string, KeptAuth>>;
};

/** `auth` is `user:password` in base64. */
export type KeptAuth = { readonly auth: string; readonly identitytoken: string };

/** What a context of the docker CLI says about its engine. */
export type DockerContext = { readonly host: string; readonly tls: TlsMaterial | undefined };

/** `DOCKER_CONFIG`, or `.docker` in the home folder. */
export function configFolder(environment: Environment): string {
  return environment["DOCKER_CONFIG"] || join(environment["HOME"] || homedir(), ".docker");
}

/** What the docker CLI's `config.json` says; all of it is empty where there is no such file. */
export async function loadDockerConfig(folder: string): Promise<DockerConfig> {
  const config = await decodeFile(join(folder, "config.json"), decodeConfig);
  return config ?? { currentContext: "", credsStore: "", credHelpers: {}, auths: {} };
}

function decodeConfig(config: Wire): DockerConfig {
  const auths = at(config, "auths");
  return {
    currentContext: readOr(at(config, "currentContext"), readText, ""),
    credsStore: readOr(at(config, "credsStore"), readText, ""),
    credHelpers: readTexts(at(config, "credHelpers")),
    auths: Object.fromEntries(readKeys(auths).map((key) => [key, decodeAuth(at(auths, key))])),
  };
}

function decodeAuth(entry: Wire): KeptAuth {
  return {
    auth: readOr(at(entry, "auth"), readText, ""),
    identitytoken: readOr(at(entry, "identitytoken"), readText, ""),
  };
}

/** A context by its name; an unknown one is `bad-usage`. `source` says who asked for it. */
export async function loadContext(
  folder: string,
  name: string,
  source: string,
): Promise<DockerContext> {
  const id = createHash("sha256").update(name).digest("hex");
  const file = join(folder, "contexts", "meta", id, "meta.json");
  const endpoint = await decodeFile(file, decodeEndpoint);
  if (endpoint === undefined) throw unknownContext(name, source);
  if (endpoint.host === "") {
    throw new WgctlError("bad-usage", `the docker context "${name}" names no docker engine`, {
      hint: "choose another one: docker context ls",
    });
  }
  const tlsFolder = join(folder, "contexts", "tls", id, "docker");
  return { host: endpoint.host, tls: await loadTls(tlsFolder, !endpoint.skipVerify) };
}

function decodeEndpoint(meta: Wire): { readonly host: string; readonly skipVerify: boolean } {
  const endpoint = at(meta, "Endpoints", "docker");
  return {
    host: readOr(at(endpoint, "Host"), readText, ""),
    skipVerify: readFlag(at(endpoint, "SkipTLSVerify")),
  };
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

async function decodeFile<T>(file: string, decode: (wire: Wire) => T): Promise<T | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return decode(root(parseJson(text), "it"));
  } catch (error) {
    throw new WgctlError("bad-usage", `${file} is not as the docker CLI writes it`, {
      hint: "repair it or move it away",
      cause: error,
    });
  }
}
