// The Compose files in fixtures/compose: which services in them are workers, and what must be there for them.
// Knows neither compose nor wgctl.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { callApi, callJson } from "./docker-api.mjs";
import { ROOT } from "./process.mjs";
import { loadWorkerImage } from "./worker-image.mjs";

/** @typedef {{ name: string, project: string, services: readonly string[] }} Sample */

const FOLDER = join(ROOT, "fixtures/compose");

/** Ours; the others are shaped like what people have. */
const EVERY_FIELD = "every-field";

/** Worker services by sample; a sample's project has its name, unless the file says another. */
const WORKERS = {
  "01-sidekiq-base-merge": ["jobs"],
  "02-celery-scalar-anchors": ["worker", "beat"],
  "04-rq-inherits-web": ["ipam-worker"],
  "05-kafka-consumers-stacked-anchors": ["task-pool", "events-consumer", "spans-consumer"],
  "06-ci-runner-ephemeral-replicas": ["runner"],
  "08-ci-worker-privileged-signal": ["worker"],
  "10-browser-nodes-port-per-copy": ["node1", "node2", "chrome"],
  "11-laravel-queue-hardened": ["album_worker"],
  "13-bullmq-nested-defaults": ["queue"],
  [EVERY_FIELD]: ["worker"],
};

/** @type {readonly Sample[]} */
export const SAMPLES = Object.entries(WORKERS).map(([name, services]) => ({
  name,
  services,
  project: name === "13-bullmq-nested-defaults" ? "crmlite" : name,
}));

/** Instead of what is in samples.env, or besides: less than it takes by itself, so that any machine has it. */
export const VARIABLES = {
  ...{ CI_CPUS: "1.00", CI_CPUS_MIN: "0.50", SECRET_KEY: "invented-key", MAIL_HOST: "mail" },
};

const IMAGES = [
  ...["registry.example.test/helpdesk/app:2.8.1", "quay.example.test/bi/server:latest-dev"],
  ...["docker.example.test/ipam/ipam:v4.2-3.1", "errortrack-local:latest"],
  ...["ghcr.io/acme-ci/runner:latest", "pipelines/ci:latest", "grid/browser-node:1.54"],
  ...["grid/chrome:125", "album-php:latest", "crmlite/server:latest"],
];

/** What the samples call external, and so has to be there before. */
export const EXTERNAL_VOLUME = "app_data";

/**
 * Copies the samples to a folder for one of them, named after it as a project's folder is; answers with its path.
 *
 * @param {Sample} sample
 * @param {string} parent
 */
export function placeSample({ name }, parent) {
  const folder = join(parent, name);
  cpSync(join(FOLDER, name === EVERY_FIELD ? name : "samples"), folder, { recursive: true });
  return folder;
}

/**
 * Takes the names of those images from an engine again.
 *
 * @param {string} host
 */
export async function dropImages(host) {
  for (const reference of IMAGES) await callApi(host, "DELETE", `/images/${reference}`);
}

/**
 * Gives an engine the images of all worker services, in name: each is the stand-in worker.
 *
 * @param {string} host
 */
export async function loadImages(host) {
  const [first = "", ...others] = IMAGES;
  await loadWorkerImage(host, first, "any");
  for (const reference of others) {
    const [repo = "", tag = ""] = reference.split(":");
    const query = new URLSearchParams({ repo, tag });
    await callJson(host, "POST", `/images/${first}/tag?${query}`);
  }
}
