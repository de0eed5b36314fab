// Every field of a template on a real engine: what was asked for is what inspect shows, and what is read back. Nothing
// is started, so that no hardware is needed for it.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callJson } from "../../../scripts/lib/docker-api.mjs";
import type { Template } from "../../../src/core/model.ts";
import { cleanup, RUN_LABEL, testHost } from "../../support/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";
import { never, openBench } from "./bench.ts";

const { run, engine } = await openBench();
const MIB = 1024 ** 2;
const folder = await mkdtemp(join(tmpdir(), "wgctl-fields-"));
const [network, second, volume] = [`${run}-a`, `${run}-b`, `${run}-volume`];

/** What one container can be asked at once. */
const ASKED = {
  ordinary: {
    command: ["worker", "--fast"],
    entrypoint: ["/bin/sh", "-c"],
    environment: { A: "1=2", EMPTY: "", QUEUE: "mail" },
    labels: { team: "growth" },
    volumes: [
      { type: "volume", target: "/anonymous" },
      { type: "bind", source: "/tmp", target: "/bind", read_only: true, propagation: "rslave" },
      { type: "bind", source: folder, target: "/exact", create_host_path: false },
      { type: "volume", source: volume, target: "/kept", nocopy: true },
      { type: "bind", source: `${folder}/made`, target: "/made", selinux: "z" },
    ],
    ports: [
      { target: 53, protocol: "udp", host_ip: "127.0.0.1" },
      { target: 80, published: "18081", protocol: "tcp" },
    ],
    networks: { [network]: { aliases: ["mail"] }, [second]: {} },
    restart: "on-failure:5",
    healthcheck: { test: ["CMD", "true"], interval: 5, timeout: 1.5, start_period: 9, retries: 2 },
    stop_signal: "SIGUSR2",
    stop_grace_period: 45,
    cpus: 0.25,
    mem_limit: 64 * MIB,
    pids_limit: 50,
    mem_reservation: 32 * MIB,
    working_dir: "/tmp",
    user: "1000:1000",
    hostname: "mailer-1",
    init: true,
    tmpfs: { "/scratch": "size=1m,noexec" },
    logging: { driver: "json-file", options: { "max-size": "10m" } },
    cap_add: ["CHOWN", "SETUID"],
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges=true", "seccomp=unconfined"],
    read_only: true,
    group_add: ["44", "audio"],
    ipc: "shareable",
    ulimits: { nofile: { soft: 1024, hard: 2048 }, nproc: { soft: 64, hard: -1 } },
    sysctls: { "net.core.somaxconn": "512" },
    shm_size: 128 * MIB,
    memswap_limit: 96 * MIB,
    mem_swappiness: 10,
    oom_score_adj: 100,
    dns: ["8.8.8.8", "1.1.1.1"],
    dns_search: ["b.test", "a.test"],
    dns_opt: ["ndots:1"],
    extra_hosts: { db: ["10.0.0.2", "::1"], gate: ["host-gateway"] },
    devices: [{ source: "/dev/null", target: "/dev/zip", permissions: "rw" }],
    device_requests: [{ driver: "nvidia", count: -1, capabilities: ["gpu", "utility"] }],
  },
  open: {
    privileged: true,
    ipc: "host",
    pid: "host",
    userns_mode: "host",
    network_mode: "host",
    restart: "always",
    mem_limit: 64 * MIB,
    memswap_limit: -1,
    logging: { driver: "none" },
    healthcheck: { test: ["NONE"] },
    device_requests: [
      { device_ids: ["0", "2"], capabilities: ["gpu"], options: { virtualization: "false" } },
    ],
  },
  bare: {},
} satisfies Record<string, Partial<Template>>;

type Kind = keyof typeof ASKED;

const ids = new Map<Kind, string>();

beforeAll(async () => {
  await writeFile(join(folder, "secret"), "invented");
  for (const name of [network, second]) {
    const body = { Name: name, Labels: { [RUN_LABEL]: run } };
    await callJson(testHost(), "POST", "/networks/create", { body });
  }
  for (const kind of kinds) ids.set(kind, await make(kind));
});

afterAll(async () => {
  await cleanup(run);
  await callJson(testHost(), "DELETE", `/volumes/${volume}`);
  await rm(folder, { recursive: true, force: true });
  await engine.close();
});

const kinds: readonly Kind[] = ["ordinary", "open", "bare"];

function make(kind: Kind): Promise<string> {
  const template = templateOf(kind);
  const name = `${run}-${kind}`;
  const labels = { "dev.wgctl.uid": run, "dev.wgctl.name": name, ...template.labels };
  return engine.createWorker({ name, labels, template }, never);
}

function templateOf(kind: Kind): Template {
  const asked: Partial<Template> = ASKED[kind];
  return { image: TEST_IMAGE, ...asked, labels: { ...asked.labels, [RUN_LABEL]: run } };
}

it.each(kinds)("reads back what was asked: %s", async (kind) => {
  expect(await engine.readTemplate(ids.get(kind) ?? "", never)).toEqual(templateOf(kind));
});
