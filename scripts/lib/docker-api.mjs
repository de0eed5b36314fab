// A few Engine API calls over node:http for scripts and tests. The product has its own client and never uses this one.

import { Agent, request } from "node:http";

/** @typedef {{ status: number, text: string }} Answer */
/** @typedef {{ body?: unknown, raw?: Buffer, agent?: Agent, timeoutMs?: number }} CallOptions */

/**
 * Where to connect for a `DOCKER_HOST` value; only `unix://` and plain `tcp://` are understood here.
 *
 * @param {string} host
 * @returns {{ socketPath: string } | { host: string, port: number }}
 */
export function parseHost(host) {
  if (host.startsWith("unix://")) return { socketPath: host.slice("unix://".length) };
  if (!host.startsWith("tcp://"))
    throw new Error(
      `cannot use ${host} here: scripts and tests speak unix:// and plain tcp:// only`,
    );
  const url = new URL(host);
  return { host: url.hostname, port: Number(url.port || 2375) };
}

/**
 * One API call; answers with any HTTP status, throws when there is no answer within the time (default 30 s).
 *
 * @param {string} host
 * @param {string} method
 * @param {string} path
 * @param {CallOptions} [options]
 * @returns {Promise<Answer>}
 */
export function callApi(host, method, path, options = {}) {
  const payload =
    options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const headers = {
    Host: "docker",
    "Content-Type": options.raw ? "application/x-tar" : "application/json",
    "Content-Length": String(payload === undefined ? 0 : Buffer.byteLength(payload)),
  };
  const timeout = options.timeoutMs ?? 30_000;
  return new Promise((resolve, reject) => {
    const call = request({
      ...parseHost(host),
      method,
      path,
      headers,
      agent: options.agent,
      timeout,
    });
    call.on("timeout", () =>
      call.destroy(new Error(`${method} ${path}: no answer in ${timeout} ms`)),
    );
    call.on("error", reject);
    call.on("response", (answer) => {
      answer.setEncoding("utf8");
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    });
    call.end(payload);
  });
}

/**
 * Like `callApi`, but throws on a status of 400 and above, and parses the JSON; an empty body is `undefined`.
 *
 * @param {string} host
 * @param {string} method
 * @param {string} path
 * @param {CallOptions} [options]
 * @returns {Promise<any>}
 */
export async function callJson(host, method, path, options) {
  const { status, text } = await callApi(host, method, path, options);
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text.trim()}`);
  return text.trim() === "" ? undefined : JSON.parse(text);
}

/**
 * True when an engine answers there.
 *
 * @param {string} host
 */
export async function isReachable(host, timeoutMs = 2000) {
  try {
    return (await callApi(host, "GET", "/_ping", { timeoutMs })).status === 200;
  } catch {
    return false;
  }
}

/**
 * Query string of a list call: `/containers/json?all=1&filters=...`.
 *
 * @param {Record<string, readonly string[]>} filters
 */
export function containersPath(filters) {
  return `/containers/json?all=1&filters=${encodeURIComponent(JSON.stringify(filters))}`;
}
