// What an engine shows of a container made by a creation, as far as the template goes: it joins in what the image gives,
// and fills in defaults of its own. Tests of decoding run against it; the same tables run against real engines.

import type { Template } from "../../../src/core/template.ts";
import { encodeCreation, type NetworkConnection } from "../../../src/engine/docker/encode.ts";
import { parseJson, root, type Wire } from "../../../src/engine/docker/wire.ts";

type Body = Readonly<Record<string, unknown>>;

export const ID = "0123456789ab".padEnd(64, "f");

/** `GET /info` of an engine like any other. */
export const INFO = {
  ...{ DefaultRuntime: "runc", LoggingDriver: "json-file", Name: "box", SwapLimit: true },
};

export function wireOf(value: unknown, name = "test"): Wire {
  return root(parseJson(JSON.stringify(value)), name);
}

/** The container of a template, and of an image with that `Config`. */
export function inspected(template: Template, image: Body = {}, version = 51): Body {
  const request = { name: "w", labels: template.labels ?? {}, template };
  const { body, connections } = encodeCreation(request, version);
  const asked = JSON.parse(JSON.stringify(body));
  return {
    Id: ID,
    Config: {
      ...configOf(asked, image),
      Hostname: asked.Hostname ?? ID.slice(0, 12),
      Labels: { ...record(image["Labels"]), ...asked.Labels },
      Volumes: image["Volumes"] ?? null,
    },
    HostConfig: hostOf(asked.HostConfig),
    NetworkSettings: { Networks: { ...networksOf(asked), ...connected(connections) } },
  };
}

function configOf(asked: Body, image: Body): Body {
  const names = ["User", "WorkingDir", "StopSignal"];
  const chosen = names.map((key) => [key, asked[key] ?? image[key] ?? ""]);
  const isOther = list(asked["Entrypoint"]).length > 0;
  return {
    ...Object.fromEntries(chosen),
    ...{ Image: asked["Image"], StopTimeout: asked["StopTimeout"] ?? null },
    Entrypoint: asked["Entrypoint"] ?? image["Entrypoint"] ?? null,
    Cmd: asked["Cmd"] ?? (isOther ? null : (image["Cmd"] ?? null)),
    Env: [...list(asked["Env"]), ...missingEnvironment(asked, image)],
    Healthcheck: joinedCheck(asked["Healthcheck"], image["Healthcheck"]),
  };
}

function missingEnvironment(asked: Body, image: Body): readonly string[] {
  const nameOf = (entry: string) => entry.split("=")[0];
  const names = list(asked["Env"]).map(nameOf);
  return list(image["Env"]).filter((entry) => !names.includes(nameOf(entry)));
}

function joinedCheck(asked: unknown, image: unknown): Body | null {
  if (asked === undefined) return image === undefined ? null : record(image);
  const said = Object.entries(record(asked)).filter(([, value]) => value !== 0);
  return { ...record(image), ...Object.fromEntries(said) };
}

function hostOf(asked: Body): Body {
  const memory = asked["Memory"];
  const isOpen = asked["Privileged"] || asked["IpcMode"] === "host" || asked["PidMode"] === "host";
  return {
    NetworkMode: "default",
    IpcMode: "private",
    ShmSize: 64 * 1024 ** 2,
    RestartPolicy: { Name: "", MaximumRetryCount: 0 },
    LogConfig: { Type: "json-file", Config: {} },
    Runtime: "runc",
    MemorySwap: typeof memory === "number" ? 2 * memory : 0,
    MemorySwappiness: null,
    OomScoreAdj: 0,
    ...asked,
    ...(isOpen ? { SecurityOpt: [...list(asked["SecurityOpt"]), "label=disable"] } : {}),
  };
}

function networksOf(asked: Body): Body {
  const { EndpointsConfig: endpoints } = record(asked["NetworkingConfig"]);
  const mode = record(asked["HostConfig"])["NetworkMode"];
  if (endpoints === undefined) return typeof mode === "string" ? { [mode]: {} } : { bridge: {} };
  const entries = Object.entries(record(endpoints)).map(([name, endpoint]) => [
    name,
    attachment(record(endpoint)),
  ]);
  return Object.fromEntries(entries);
}

function connected(connections: readonly NetworkConnection[]): Body {
  return Object.fromEntries(
    connections.map(({ network, endpoint }) => [network, attachment(endpoint)]),
  );
}

function attachment(endpoint: Body): Body {
  return { Aliases: [...list(endpoint["Aliases"]), ID.slice(0, 12)] };
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Body {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
