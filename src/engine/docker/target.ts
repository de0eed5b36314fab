// Where an engine is and how to get there; reads the host forms that the docker CLI accepts. Does no I/O.

import { WgctlError } from "../../core/errors.ts";

/** A resolved endpoint. `endpoint` is how a person names it. */
export type EngineTarget = { readonly endpoint: string; readonly route: Route };

export type Route =
  | { readonly kind: "unix"; readonly path: string }
  | {
      readonly kind: "tcp";
      readonly host: string;
      readonly port: number;
      /** Undefined: plain HTTP. */
      readonly tls: TlsMaterial | undefined;
    }
  | { readonly kind: "ssh"; readonly destination: SshDestination };

/** PEM texts; what is undefined is left to the system's defaults. */
export type TlsMaterial = {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly verify: boolean;
};

export type SshDestination = {
  readonly host: string;
  readonly user: string | undefined;
  readonly port: number | undefined;
  /** Path of the socket on the other side; undefined: what the docker CLI there uses. */
  readonly socket: string | undefined;
};

export const DEFAULT_HOST = "unix:///var/run/docker.sock";

const SYSTEM_TLS: TlsMaterial = { ca: undefined, cert: undefined, key: undefined, verify: true };
const PLAIN_PORT = 2375;
const TLS_PORT = 2376;

/**
 * Reads a host such as `unix:///run/docker.sock`, `tcp://build:2376` or `ssh://root@build`.
 * `tls` is what goes with a TCP host. Anything else is `bad-usage`; `source` says where the host stood.
 */
export function parseHost(
  host: string,
  tls: TlsMaterial | undefined,
  source: string,
): EngineTarget {
  if (host.startsWith("unix://")) return unixTarget(host, source);
  const url = parseUrl(host, source);
  switch (url.protocol) {
    case "tcp:":
      return tcpTarget(host, url, tls, source);
    case "http:":
      return tcpTarget(host, url, undefined, source);
    case "https:":
      return tcpTarget(host, url, tls ?? SYSTEM_TLS, source);
    case "ssh:":
      return sshTarget(host, url, source);
    case "npipe:":
      throw badHost(host, source, "Windows pipes are not supported, use tcp:// or ssh://");
    default:
      throw badHost(host, source, "use unix://, tcp://, http://, https:// or ssh://");
  }
}

function unixTarget(host: string, source: string): EngineTarget {
  const path = host.slice("unix://".length);
  if (!path.startsWith("/")) throw badHost(host, source, "write an absolute path: unix:///path");
  return { endpoint: host, route: { kind: "unix", path } };
}

// `build:2375` without a scheme is TCP to the docker CLI; URL would take `build:` for the scheme.
function parseUrl(host: string, source: string): URL {
  const text = host.includes("://") ? host : `tcp://${host}`;
  if (!URL.canParse(text)) throw badHost(host, source, "write it as scheme://host:port");
  return new URL(text);
}

function tcpTarget(
  host: string,
  url: URL,
  tls: TlsMaterial | undefined,
  source: string,
): EngineTarget {
  if (url.hostname === "") throw badHost(host, source, "the name of the host is missing");
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.username !== "") {
    throw badHost(host, source, "write only scheme://host:port");
  }
  const port = Number(url.port) || defaultPort(url.protocol, tls);
  const name = bareHost(url);
  return {
    endpoint: `tcp://${url.hostname}:${port}`,
    route: { kind: "tcp", host: name, port, tls },
  };
}

function defaultPort(protocol: string, tls: TlsMaterial | undefined): number {
  if (protocol === "http:") return 80;
  if (protocol === "https:") return 443;
  return tls === undefined ? PLAIN_PORT : TLS_PORT;
}

function sshTarget(host: string, url: URL, source: string): EngineTarget {
  const user = decodeURIComponent(url.username);
  // A leading dash would be an option to ssh.
  if (url.hostname === "" || url.hostname.startsWith("-") || user.startsWith("-")) {
    throw badHost(host, source, "write it as ssh://user@host:port");
  }
  if (url.password !== "") {
    throw badHost(withoutPassword(url), source, "a password cannot stand in it, use a key");
  }
  const socket = ["", "/"].includes(url.pathname) ? undefined : url.pathname;
  // The shell on the other side reads it.
  if (socket !== undefined && !/^[\w./-]+$/.test(socket)) {
    throw badHost(host, source, "the path of the socket may hold letters, digits and ._/- only");
  }
  const port = Number(url.port) || undefined;
  const destination = { host: bareHost(url), user: user || undefined, port, socket };
  return { endpoint: host, route: { kind: "ssh", destination } };
}

function withoutPassword(url: URL): string {
  return url.href.replace(`:${url.password}@`, ":***@");
}

/** The host without the brackets of an IPv6 address. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

function badHost(host: string, source: string, hint: string): WgctlError {
  return new WgctlError("bad-usage", `the engine host "${host}" from ${source} is not usable`, {
    hint,
  });
}
