// From a template to the call that creates a container. Pure; the same template gives the same bytes.
// A field that is undefined is not sent: it stays the image's or the engine's choice.

import type { Healthcheck, Template } from "../../core/template.ts";
import type { CreateRequest } from "../engine.ts";
import { encodeHost } from "./encode-host.ts";
import { portKeys } from "./encode-ports.ts";
import { inBillionths } from "./limits.ts";
import { entriesOf, type Fields, sorted } from "./ordered.ts";

/** First API version that takes several networks when a container is created. */
const SEVERAL_NETWORKS = 44;

/** What has to be sent to make one container. */
export type Creation = {
  /** Besides the name. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: Fields;
  /** Networks that this API version can only connect afterwards. */
  readonly connections: readonly NetworkConnection[];
};

/** One `POST /networks/{network}/connect`. */
export type NetworkConnection = { readonly network: string; readonly endpoint: Fields };

/** Encodes a request for API 1.`version`. What that version has no words for is `engine-rejected`. */
export function encodeCreation(request: CreateRequest, version: number): Creation {
  const { template } = request;
  const endpoints = encodeEndpoints(template);
  const atOnce = version >= SEVERAL_NETWORKS ? endpoints : endpoints.slice(0, 1);
  const api = { version, what: `create the container ${request.name}` };
  return {
    query: template.platform === undefined ? {} : { platform: template.platform },
    body: {
      ...encodeConfig(template),
      Labels: sorted(request.labels),
      HostConfig: encodeHost(template, endpoints[0]?.network, api),
      NetworkingConfig: encodeNetworking(atOnce),
    },
    connections: endpoints.slice(atOnce.length),
  };
}

function encodeConfig(template: Template): Fields {
  const grace = template.stop_grace_period;
  return {
    Image: template.image,
    Cmd: template.command,
    Entrypoint: template.entrypoint,
    Env: entriesOf(template.environment).map(([name, value]) => `${name}=${value}`),
    ExposedPorts: Object.fromEntries(portKeys(template.ports).map((key) => [key, {}])),
    Healthcheck: template.healthcheck && encodeHealthcheck(template.healthcheck),
    Hostname: template.hostname,
    User: template.user,
    WorkingDir: template.working_dir,
    StopSignal: template.stop_signal,
    // Whole seconds: rather a kill that is late than one that is early.
    StopTimeout: grace === undefined ? undefined : Math.ceil(grace),
  };
}

function encodeHealthcheck(check: Healthcheck): Fields {
  return {
    Test: check.test,
    Interval: inBillionths(check.interval),
    Timeout: inBillionths(check.timeout),
    StartPeriod: inBillionths(check.start_period),
    Retries: check.retries,
  };
}

function encodeEndpoints(template: Template): readonly NetworkConnection[] {
  return entriesOf(template.networks).map(([network, { aliases }]) => ({
    network,
    endpoint: { Aliases: aliases },
  }));
}

function encodeNetworking(connections: readonly NetworkConnection[]): Fields | undefined {
  if (connections.length === 0) return undefined;
  const endpoints = connections.map(({ network, endpoint }) => [network, endpoint] as const);
  return { EndpointsConfig: Object.fromEntries(endpoints) };
}
