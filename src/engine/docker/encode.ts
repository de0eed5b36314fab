// From a template to the body that creates a container. Pure; the same template gives the same bytes.
// A field that is undefined is not sent: it stays the image's or the engine's choice.

import type { Healthcheck, Mount, PortMapping, Template } from "../../core/model.ts";
import type { CreateRequest } from "../engine.ts";
import { inBillionths } from "./limits.ts";

/** First API version that takes several networks when a container is created. */
const SEVERAL_NETWORKS = 44;

type Fields = Readonly<Record<string, unknown>>;

/** What has to be sent to make one container. */
export type Creation = {
  readonly body: Fields;
  /** Networks that this API version can only connect afterwards. */
  readonly connections: readonly NetworkConnection[];
};

/** One `POST /networks/{network}/connect`. */
export type NetworkConnection = { readonly network: string; readonly endpoint: Fields };

/** Encodes a request for API 1.`version`. */
export function encodeCreation(request: CreateRequest, version: number): Creation {
  const endpoints = encodeEndpoints(request.template);
  const atOnce = version >= SEVERAL_NETWORKS ? endpoints : endpoints.slice(0, 1);
  return {
    body: {
      ...encodeConfig(request.template),
      Labels: sorted(request.labels),
      HostConfig: encodeHost(request.template, endpoints[0]?.network),
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

function encodeHost(template: Template, firstNetwork: string | undefined): Fields {
  const { volumes = [] } = template;
  return {
    Binds: volumes.filter(fitsBind).map(encodeBind),
    Mounts: volumes.filter((mount) => !fitsBind(mount)).map(encodeMount),
    NetworkMode: template.network_mode ?? firstNetwork,
    PortBindings: encodePorts(template.ports ?? []),
    RestartPolicy:
      template.restart === undefined ? undefined : encodeRestartPolicy(template.restart),
    NanoCpus: inBillionths(template.cpus),
    Memory: template.mem_limit,
    MemoryReservation: template.mem_reservation,
    PidsLimit: template.pids_limit,
    Init: template.init,
    Tmpfs: template.tmpfs,
    LogConfig: template.logging && {
      Type: template.logging.driver,
      Config: template.logging.options,
    },
  };
}

/** From Compose's form, where `on-failure:5` has a count. */
export function encodeRestartPolicy(policy: string): Fields {
  const [name, count] = policy.split(":");
  return { Name: name, MaximumRetryCount: count === undefined ? undefined : Number(count) };
}

// The short form makes a folder that is missing on the host, as Compose does; the long form does not. But the short
// form has no way to write a colon. Only the short form can relabel.
function fitsBind(mount: Mount): boolean {
  if (mount.source === undefined) return false;
  const isShort = mount.type === "bind" || mount.selinux !== undefined;
  return isShort && !`${mount.source}${mount.target}`.includes(":");
}

function encodeBind(mount: Mount): string {
  const options = [...(mount.read_only ? ["ro"] : []), ...(mount.selinux ? [mount.selinux] : [])];
  return [
    `${mount.source}:${mount.target}`,
    ...(options.length > 0 ? [options.join(",")] : []),
  ].join(":");
}

// Without a source the engine makes an anonymous volume, which goes when the container is removed.
function encodeMount(mount: Mount): Fields {
  return {
    Type: mount.type,
    Source: mount.source,
    Target: mount.target,
    ReadOnly: mount.read_only,
  };
}

function encodePorts(ports: readonly PortMapping[]): Fields {
  const bindingsOf = (key: string) => ports.filter((port) => portKey(port) === key).map(binding);
  return Object.fromEntries(portKeys(ports).map((key) => [key, bindingsOf(key)]));
}

function portKeys(ports: readonly PortMapping[] = []): readonly string[] {
  return [...new Set(ports.map(portKey))].sort();
}

function portKey(port: PortMapping): string {
  return `${port.target}/${port.protocol}`;
}

// An empty host port lets the engine pick one.
function binding(port: PortMapping): Fields {
  return { HostIp: port.host_ip ?? "", HostPort: port.published ?? "" };
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

function entriesOf<V>(record: Readonly<Record<string, V>> = {}): readonly (readonly [string, V])[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function sorted<V>(record: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return Object.fromEntries(entriesOf(record));
}
