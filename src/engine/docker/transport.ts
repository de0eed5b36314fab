// The roads to an engine: unix socket, TCP, TLS and ssh, each as agents of node:http. Knows nothing of Docker.

import { Agent, type ClientRequest, request as httpRequest, type RequestOptions } from "node:http";
import { isIP } from "node:net";
import type { Environment } from "./dockerconfig.ts";
import { SshAgent } from "./ssh.ts";
import type { Route, TlsMaterial } from "./target.ts";

/** Requests to one engine. */
export type Transport = {
  /** Prepares a request on a connection that is kept, or on one of its own for a stream. */
  request(options: RequestOptions, use: "call" | "stream"): ClientRequest;
  /** Cuts every connection and ends the processes behind them. */
  close(): void;
};

type Agents = { readonly call: Agent; readonly stream: Agent };

// Without TLS the name is of no use, and working one out makes Node compile a large expression at every start.
const UNNAMED = { servername: "" };

// Each is a process here and a session there; an ssh server lets in ten that are not yet authenticated.
const CALLS_BY_SSH = { keepAlive: true, maxSockets: 4 };
const STREAMS_BY_SSH = { keepAlive: false, maxSockets: Number.POSITIVE_INFINITY };

/** Makes the transport for a route; connects to nothing yet. TLS is loaded only where it is spoken. */
export async function openTransport(route: Route, environment: Environment): Promise<Transport> {
  switch (route.kind) {
    case "unix":
      return over(httpRequest, { socketPath: route.path, ...UNNAMED }, plainAgents());
    case "tcp":
      if (route.tls !== undefined) return openTls(route.host, route.port, route.tls);
      return over(httpRequest, { host: route.host, port: route.port, ...UNNAMED }, plainAgents());
    case "ssh":
      return over(
        httpRequest,
        { host: "docker" },
        {
          call: new SshAgent(route.destination, environment, CALLS_BY_SSH),
          stream: new SshAgent(route.destination, environment, STREAMS_BY_SSH),
        },
      );
  }
}

async function openTls(host: string, port: number, tls: TlsMaterial): Promise<Transport> {
  const https = process.getBuiltinModule("node:https");
  const trust = {
    ca: tls.ca,
    cert: tls.cert,
    key: tls.key,
    rejectUnauthorized: tls.verify,
    // An address is no name that a server could be asked for.
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  return over(
    https.request,
    { host, port },
    {
      call: new https.Agent({ ...trust, keepAlive: true }),
      stream: new https.Agent({ ...trust, keepAlive: false }),
    },
  );
}

function plainAgents(): Agents {
  return { call: new Agent({ keepAlive: true }), stream: new Agent({ keepAlive: false }) };
}

function over(
  request: (options: RequestOptions) => ClientRequest,
  address: RequestOptions,
  agents: Agents,
): Transport {
  return {
    request: (options, use) => request({ ...address, ...options, agent: agents[use] }),
    close: () => {
      agents.call.destroy();
      agents.stream.destroy();
    },
  };
}
