// Finds the credentials for a registry where `docker login` left them: config file or helper program.
// They go into one header and nowhere else.

import { WgctlError } from "../../core/errors.ts";
import {
  configFolder,
  type DockerConfig,
  type Environment,
  loadDockerConfig,
} from "./dockerconfig.ts";
import { normalHost, serverAddress } from "./reference.ts";
import { at, parseJson, readText, root } from "./wire.ts";

/** What the engine takes in `X-Registry-Auth`. */
export type RegistryCredentials = {
  readonly serveraddress: string;
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
};

// A helper's name for a user who is known by a token.
const TOKEN_USER = "<token>";
const HELPER_TIMEOUT_MS = 30_000;

/**
 * The credentials for a registry; undefined: none are kept.
 * A helper that cannot be run or does not answer is `engine-denied`.
 */
export async function loadCredentials(
  registry: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<RegistryCredentials | undefined> {
  const config = await loadDockerConfig(configFolder(environment));
  const address = serverAddress(registry);
  const helper = config.credHelpers[address] || config.credHelpers[registry] || config.credsStore;
  const kept = helper === "" ? undefined : await askHelper(helper, address, environment, signal);
  return kept ?? credentialsInFile(config.auths, registry);
}

/** The value of `X-Registry-Auth`: base64 for URLs, padded, or Docker 20.10 takes it for no credentials. */
export function encodeCredentials(credentials: RegistryCredentials): string {
  const text = Buffer.from(JSON.stringify(credentials)).toString("base64");
  return text.replaceAll("+", "-").replaceAll("/", "_");
}

function credentialsInFile(
  auths: DockerConfig["auths"],
  registry: string,
): RegistryCredentials | undefined {
  const [, entry] = Object.entries(auths).find(([key]) => normalHost(key) === registry) ?? [];
  if (entry === undefined) return undefined;
  const serveraddress = serverAddress(registry);
  const { identitytoken } = entry;
  if (identitytoken !== "") return { serveraddress, identitytoken };
  const plain = Buffer.from(entry.auth, "base64").toString("utf8");
  const colon = plain.indexOf(":");
  // An empty entry is what `docker login` leaves in the file when a helper keeps the secret.
  if (colon < 0) return undefined;
  return { serveraddress, username: plain.slice(0, colon), password: plain.slice(colon + 1) };
}

async function askHelper(
  helper: string,
  serveraddress: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<RegistryCredentials | undefined> {
  const { execa } = await import("execa");
  const result = await execa(`docker-credential-${helper}`, ["get"], {
    input: serveraddress,
    env: environment,
    extendEnv: false,
    cancelSignal: signal,
    timeout: HELPER_TIMEOUT_MS,
    reject: false,
  });
  if (!result.failed) return fromHelper(result.stdout, helper, serveraddress);
  // The one failure that is an answer; helpers say it on standard output.
  if (/credentials not found/i.test(result.stdout)) return undefined;
  throw helperFailure(helper, result.originalMessage ?? `exit code ${result.exitCode}`);
}

function fromHelper(text: string, helper: string, serveraddress: string): RegistryCredentials {
  try {
    const answer = root(parseJson(text), "answer");
    const username = readText(at(answer, "Username"));
    const secret = readText(at(answer, "Secret"));
    return username === TOKEN_USER
      ? { serveraddress, identitytoken: secret }
      : { serveraddress, username, password: secret };
  } catch (error) {
    throw helperFailure(helper, "it does not answer with credentials", error);
  }
}

// Its output may hold the secret, so nothing of it is repeated.
function helperFailure(helper: string, why: string, cause?: unknown): WgctlError {
  return new WgctlError(
    "engine-denied",
    `the credential helper docker-credential-${helper} failed: ${why}`,
    { hint: "log in again with docker login, or correct credsStore in the docker config", cause },
  );
}
