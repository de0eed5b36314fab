// The demo on real containers: what its story needs to see and do of a Docker engine, besides wgctl.

import { callApi, callJson, containersPath } from "../lib/docker-api.mjs";
import { findProgram } from "../lib/process.mjs";
import { loadWorkerImage } from "../lib/worker-image.mjs";
import { IMAGES, WORKERS } from "./story.mjs";

/** @typedef {{ Id: string, Names: string[], State: string }} Container */

/**
 * @param {import("../lib/ensure-engine.mjs").FoundEngine} found
 * @returns {import("./story.mjs").DemoEngine}
 */
export function dockerEngine({ host, state, stop }) {
  return {
    name: `${host}${state ? " (a private one)" : ""}`,
    environment: { DOCKER_HOST: host },
    stateFolder: ".wgctl",
    lookEveryMs: 50,
    prepare: async () => {
      for (const image of IMAGES) await loadWorkerImage(host, image);
    },
    workers: () => listWorkers(host),
    history: {
      now: () => engineSeconds(host),
      isQuietSince: async (since) => (await eventsSince(host, since)) === "",
    },
    removal: (name) =>
      findProgram("docker")
        ? { line: `docker rm -f ${name}` }
        : {
            remark: `${name} was removed through the engine's API (no docker CLI here)`,
            remove: async () => {
              await callJson(host, "DELETE", `/containers/${name}?force=1`);
            },
          },
    prepareFailure: async () => undefined,
    clear: async () => {
      try {
        await removeAll(host);
      } finally {
        await stop();
      }
    },
  };
}

/** @param {string} host */
async function listWorkers(host) {
  /** @type {Container[]} */
  const found = await callJson(host, "GET", containersPath({ label: [WORKERS] }));
  return found.map(({ Id, Names, State }) => ({
    id: Id,
    name: (Names[0] ?? "").slice(1),
    state: State,
  }));
}

/** @param {string} host */
async function removeAll(host) {
  for (const { id } of await listWorkers(host))
    await callApi(host, "DELETE", `/containers/${id}?force=1&v=1`);
  for (const image of IMAGES) await callApi(host, "DELETE", `/images/${image}?force=1`);
}

/** @param {string} host */
async function engineSeconds(host) {
  const time = (await callJson(host, "GET", "/info")).SystemTime;
  // events carry nanoseconds; a fraction cut off would let earlier events in
  return `${Math.floor(Date.parse(time) / 1000)}.${(/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0")}`;
}

/**
 * @param {string} host
 * @param {string} since
 */
async function eventsSince(host, since) {
  const filters = encodeURIComponent(
    JSON.stringify({ type: ["container"], label: ["dev.wgctl.uid"] }),
  );
  const until = await engineSeconds(host);
  return (await callApi(host, "GET", `/events?since=${since}&until=${until}&filters=${filters}`))
    .text;
}
