// Templates that together use every field there is, for tests that ask what becomes of each.

import type { Template } from "../../../src/core/template.ts";

const MIB = 1024 ** 2;

/** What must be there for them on a real engine. */
export type Place = {
  /** A folder on the engine's host. */
  readonly folder: string;
  readonly networks: readonly [string, string];
  readonly volume: string;
};

/** What one container can be asked at once, and what only another one can be asked. In the order that decoding gives. */
export function askedAt({ folder, networks: [network, second], volume }: Place) {
  return {
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
      healthcheck: {
        ...{ test: ["CMD", "true"], interval: 5, timeout: 1.5, start_period: 9, retries: 2 },
      },
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
      security_opt: ["no-new-privileges=true", "seccomp=unconfined", "systempaths=unconfined"],
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
}

export type Kind = keyof ReturnType<typeof askedAt>;

export const KINDS: readonly Kind[] = ["ordinary", "open", "bare"];
