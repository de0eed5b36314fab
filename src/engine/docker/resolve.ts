// Finds the engine the way the docker CLI does. Reads files of the docker CLI, opens no connection.

import { WgctlError } from "../../core/errors.ts";
import {
  configFolder,
  type Environment,
  loadContext,
  loadDockerConfig,
  loadTls,
} from "./dockerconfig.ts";
import { DEFAULT_HOST, type EngineTarget, parseHost, type TlsMaterial } from "./target.ts";

export type EngineChoice = {
  /** `--host` */
  readonly host?: string | undefined;
  /** `--context` */
  readonly context?: string | undefined;
  /** The context that the project file names. */
  readonly projectContext?: string | undefined;
};

/** An engine and the context it was found by; `undefined` where a bare host named it. */
export type ResolvedEngine = EngineTarget & { readonly context: string | undefined };

const DEFAULT_CONTEXT = "default";

/**
 * Finds the engine: `--host`, then `--context`, the project's context, `DOCKER_HOST`, `DOCKER_CONTEXT`,
 * the docker CLI's current context, and last the default socket.
 *
 * A project's context comes before the environment, so that a stray variable cannot send its groups to
 * another engine. The context `default` means, as in the docker CLI, `DOCKER_HOST` or the default socket.
 * What cannot be used is `bad-usage`.
 */
export async function resolveEngine(
  choice: EngineChoice,
  environment: Environment,
): Promise<ResolvedEngine> {
  if (choice.host !== undefined && choice.context !== undefined) {
    throw new WgctlError("bad-usage", "both --host and --context are given", {
      hint: "give only one of them",
    });
  }
  if (choice.host !== undefined) return resolveHost(choice.host, "--host", environment);
  const named = await namedContext(choice, environment);
  if (named.name === DEFAULT_CONTEXT) return resolveDefault(environment);
  const context = await loadContext(configFolder(environment), named.name, named.source);
  const target = parseHost(context.host, context.tls, `the docker context "${named.name}"`);
  return { ...target, context: named.name };
}

async function resolveDefault(environment: Environment): Promise<ResolvedEngine> {
  const host = environment["DOCKER_HOST"];
  const target = host
    ? await resolveHost(host, "DOCKER_HOST", environment)
    : parseHost(DEFAULT_HOST, undefined, "the default");
  return { ...target, context: DEFAULT_CONTEXT };
}

async function namedContext(
  choice: EngineChoice,
  environment: Environment,
): Promise<{ readonly name: string; readonly source: string }> {
  if (choice.context) return { name: choice.context, source: "--context" };
  if (choice.projectContext) return { name: choice.projectContext, source: "the project file" };
  // To the docker CLI a set DOCKER_HOST overrides whatever context is current.
  if (environment["DOCKER_HOST"]) return { name: DEFAULT_CONTEXT, source: "DOCKER_HOST" };
  const fromShell = environment["DOCKER_CONTEXT"];
  if (fromShell) return { name: fromShell, source: "DOCKER_CONTEXT" };
  const folder = configFolder(environment);
  const { currentContext } = await loadDockerConfig(folder);
  return { name: currentContext || DEFAULT_CONTEXT, source: `the current context in ${folder}` };
}

async function resolveHost(
  host: string,
  source: string,
  environment: Environment,
): Promise<ResolvedEngine> {
  const tls = /^(unix|ssh):/.test(host) ? undefined : await tlsOf(environment);
  return { ...parseHost(host, tls, source), context: undefined };
}

async function tlsOf(environment: Environment): Promise<TlsMaterial | undefined> {
  const verify = Boolean(environment["DOCKER_TLS_VERIFY"]);
  if (!verify && !environment["DOCKER_TLS"]) return undefined;
  const named = environment["DOCKER_CERT_PATH"];
  const material = await loadTls(named || configFolder(environment), verify);
  if (named && (material?.ca ?? material?.cert) === undefined) {
    throw new WgctlError("bad-usage", `there are no certificates in ${named} (DOCKER_CERT_PATH)`, {
      hint: "it has to hold ca.pem, cert.pem and key.pem",
    });
  }
  return material ?? { ca: undefined, cert: undefined, key: undefined, verify };
}
