// The floor: making the same workers with bare Engine API calls and nothing around them.

import { Agent } from "node:http";
import { callApi, callJson, containersPath } from "../lib/docker-api.mjs";

/**
 * Creates and starts so many containers with at most `width` in flight, over kept-alive connections.
 *
 * @param {string} host
 * @param {{ count: number, width: number, body: Record<string, unknown> }} options
 */
export async function startBare(host, { count, width, body }) {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  try {
    await inParallel(width, count, async (at) => {
      const path = `/containers/create?name=floor-${at + 1}`;
      const { Id: id } = await callJson(host, "POST", path, { body, agent });
      await callJson(host, "POST", `/containers/${id}/start`, { agent });
    });
  } finally {
    agent.destroy();
  }
}

/**
 * Kills and removes what carries the label, two at a time: more at once has deadlocked Docker 20.10.
 *
 * @param {string} host
 * @param {string} label
 */
export async function removeAll(host, label) {
  /** @type {{ Id: string }[]} */
  const found = await callJson(host, "GET", containersPath({ label: [label] }));
  await inParallel(2, found.length, async (at) => {
    await callApi(host, "DELETE", `/containers/${found[at]?.Id}?force=1&v=1`, {
      timeoutMs: 60_000,
    });
  });
}

/**
 * @param {number} width
 * @param {number} count
 * @param {(at: number) => Promise<void>} work
 */
export async function inParallel(width, count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
