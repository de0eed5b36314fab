// The floor of a plan: lists the containers with a label and inspects each, eight at a time, over node:http alone.
// usage: node look.cjs unix:///path LABEL
"use strict";

const { Agent, get } = require("node:http");

const [host = "", label = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
function read(path) {
  return new Promise((resolve, reject) => {
    get({ socketPath: host.replace("unix://", ""), path: `/v1.41${path}`, agent }, (answer) => {
      /** @type {Buffer[]} */
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    }).on("error", reject);
  });
}

async function look() {
  const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
  /** @type {{ Id: string }[]} */
  const listed = await read(`/containers/json?all=1&filters=${filters}`);
  await Promise.all(listed.map(({ Id }) => read(`/containers/${Id}/json`)));
  agent.destroy();
}

look();
