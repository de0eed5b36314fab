// A stand-in for a Docker engine during the build: remembers containers and volumes, and runs nothing. Only as real as warming up needs.

import { createServer } from "node:http";

/** @typedef {{ Id: string, Name: string, Image: string, Config: any, HostConfig: any, State: Record<string, unknown> }} Container */
/** @typedef {{ status?: number, json?: unknown }} Answer */
/** @typedef {(id: string, body: any, query: URLSearchParams) => Answer} Handler */

const IMAGE_ID = `sha256:${"1".repeat(64)}`;
const INFO = { ID: "stand-in", NCPU: 2, MemTotal: 2 ** 32, ServerVersion: "27.0.0" };

/**
 * Serves on a unix socket until closed.
 *
 * @param {string} socketPath
 * @returns {Promise<() => Promise<void>>}  closes it
 */
export async function startStandIn(socketPath) {
  const routes = { ...containerRoutes(new Map()), ...volumeRoutes(new Map()) };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://engine");
    const path = `${request.method} ${url.pathname.replace(/^\/v[\d.]+/, "")}`;
    const body = await readBody(request);
    response.setHeader("Api-Version", "1.47").setHeader("Content-Type", "application/json");
    if (path === "GET /events" && !url.searchParams.has("until")) return response.flushHeaders();
    const { status = 200, json } = answer(routes, path, body, url.searchParams);
    response.statusCode = status;
    response.end(json === undefined ? "" : JSON.stringify(json));
  });
  await new Promise((resolve) => server.listen(socketPath, () => resolve(undefined)));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve(undefined));
      server.closeAllConnections();
    });
}

/**
 * Finds the handler whose path, with `*` for one id or name, is the request's.
 *
 * @param {Readonly<Record<string, Handler>>} routes
 * @param {string} path
 * @param {unknown} body
 * @param {URLSearchParams} query
 * @returns {Answer}
 */
function answer(routes, path, body, query) {
  for (const [route, handle] of Object.entries(routes)) {
    const match = new RegExp(`^${route.replace("*", "(.+)")}$`).exec(path);
    if (match !== null) return handle(decodeURIComponent(match[1] ?? ""), body, query);
  }
  return { status: 404, json: { message: `the stand-in has no ${path}` } };
}

/**
 * @param {Map<string, Container>} containers
 * @returns {Readonly<Record<string, Handler>>}
 */
function containerRoutes(containers) {
  /** @type {(idOrName: string, use: (container: Container) => void) => Answer} */
  const withContainer = (idOrName, use) => {
    const all = [...containers.values()];
    const found = all.find(({ Id, Name }) => Id === idOrName || Name === `/${idOrName}`);
    if (found === undefined) return { status: 404, json: { message: "no such container" } };
    use(found);
    return { json: found };
  };
  return {
    "GET /_ping": () => ({}),
    "GET /info": () => ({ json: INFO }),
    "GET /events": () => ({}),
    "GET /networks": () => ({ json: [{ Name: "bridge" }] }),
    "GET /images/*/json": () => ({ json: { Id: IMAGE_ID } }),
    "GET /containers/json": () => ({ json: [...containers.values()].map(toListed) }),
    "GET /containers/*/json": (id) => withContainer(id, () => undefined),
    "POST /containers/create": (_, body, query) => {
      const id = String(containers.size + 1).padStart(64, "0");
      containers.set(id, makeContainer(id, query.get("name") ?? "", body));
      return { status: 201, json: { Id: id, Warnings: [] } };
    },
    "POST /containers/*/start": (id) =>
      withContainer(id, ({ State }) => enter(State, "running", "StartedAt")),
    "POST /containers/*/kill": (id) =>
      withContainer(id, ({ State }) => enter(State, "exited", "FinishedAt")),
    "POST /containers/*/rename": (id, _, query) =>
      withContainer(id, (container) => {
        container.Name = `/${query.get("name")}`;
      }),
    "POST /containers/*/update": (id, body) =>
      withContainer(id, ({ HostConfig }) => Object.assign(HostConfig, body)),
    "DELETE /containers/*": (id) => withContainer(id, ({ Id }) => containers.delete(Id)),
  };
}

/**
 * @param {Map<string, { Name: string, Labels: Record<string, string> }>} volumes
 * @returns {Readonly<Record<string, Handler>>}
 */
function volumeRoutes(volumes) {
  return {
    "GET /volumes": () => ({ json: { Volumes: [...volumes.values()] } }),
    "POST /volumes/create": (_, body) => {
      if (!volumes.has(body.Name)) volumes.set(body.Name, body);
      return { status: 201, json: volumes.get(body.Name) };
    },
    "DELETE /volumes/*": (name) => ({ status: volumes.delete(name) ? 204 : 404 }),
  };
}

/**
 * @param {Record<string, unknown>} state
 * @param {string} status
 * @param {"StartedAt" | "FinishedAt"} time
 */
function enter(state, status, time) {
  Object.assign(state, { Status: status, Running: status === "running" });
  state[time] = new Date().toISOString();
}

/**
 * @param {string} id
 * @param {string} name
 * @param {any} body
 * @returns {Container & Record<string, unknown>}
 */
function makeContainer(id, name, { HostConfig, NetworkingConfig, ...config }) {
  const never = "0001-01-01T00:00:00Z";
  return {
    Id: id,
    Name: `/${name}`,
    Created: new Date().toISOString(),
    Image: IMAGE_ID,
    Config: config,
    HostConfig: { RestartPolicy: { Name: "no", MaximumRetryCount: 0 }, ...HostConfig },
    NetworkSettings: { Networks: NetworkingConfig?.EndpointsConfig ?? { bridge: {} } },
    RestartCount: 0,
    State: {
      ...{ Status: "created", Running: false, Paused: false, Restarting: false, OOMKilled: false },
      ...{ Dead: false, ExitCode: 0, Error: "", StartedAt: never, FinishedAt: never },
    },
  };
}

/** @param {Container} container */
function toListed({ Id, Name, Image, Config, State }) {
  return {
    Id,
    Names: [Name],
    Image,
    ImageID: Image,
    State: State["Status"],
    Labels: Config.Labels,
  };
}

/** @param {import("node:http").IncomingMessage} request */
async function readBody(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? undefined : JSON.parse(text);
}
