// Compose's other fields, by the object they stand in, and what to do instead: those that make no sense for workers,
// and those that this version does not take.

import type { Strangers } from "./parts.ts";

const group = "groups are declared one by one";

export const templateStrangers: Strangers = {
  free: true,
  refused: {
    container_name:
      "workers are named <group>-<slot>-<revision>; take it out, or use hostname to tell workers apart",
    build: "build and push the image first, and name it in image",
    depends_on:
      "workers come and go at any time; let the worker wait for what it needs, or use a health check",
    links: "put both on one network and use the other's name or alias",
    external_links: "put both on one network and use the other's name or alias",
    profiles: `${group}; choose among them with --group`,
    extends: "share parts with a YAML anchor and a merge key (<<)",
    scale: "use spec.replicas",
    develop: "take it out; it serves docker compose watch",
    attach: "take it out; wgctl shows no worker output",
    expose: "take it out; on a network every port can be reached",
    provider: "take it out; wgctl runs containers only",
    volumes_from: "name the volumes in volumes",
  },
  later: {
    annotations: "use labels of the template; only the runtime reads annotations",
    blkio_config: "take it out; reading and writing have no limits here",
    cgroup: "take it out; the engine chooses the namespace of control groups",
    cgroup_parent: "take it out; set cgroup-parent for the whole engine in its daemon.json",
    cpu_count: "use cpus; cpu_count is for Windows",
    cpu_percent: "use cpus; cpu_percent is for Windows",
    cpu_period: "use cpus, which is cpu_quota divided by cpu_period",
    cpu_quota: "use cpus, which is cpu_quota divided by cpu_period",
    cpu_rt_period: "take it out; it needs a kernel with real-time groups",
    cpu_rt_runtime: "take it out; it needs a kernel with real-time groups",
    cpu_shares: "use cpus, which is a limit and no share",
    cpuset: "use cpus; several workers on the same few CPUs only slow one another",
    credential_spec: "take it out; it is for Windows",
    device_cgroup_rules: "name the devices in devices",
    domainname: "put the domain into hostname: name.example.org",
    isolation: "take it out; it is for Windows",
    label_file: "write the labels in labels",
    mac_address: "take it out; the engine gives each worker an address of its own",
    models: "start the model as a service of its own, and give its address in environment",
    oom_kill_disable: "take it out, or use oom_score_adj; without it a full worker would hang",
    post_start: "run the command in the entrypoint of the image, before the work begins",
    pre_start: "run it as a job of its own before wgctl apply, or in the entrypoint",
    pre_stop: "use spec.drain, or let the program heed its stop_signal",
    pull_refresh_after: "use pull_policy: every_12h",
    stdin_open: "take it out; nobody writes to a worker's input",
    storage_opt: "take it out; set the size of containers for the whole engine",
    tty: "take it out; a worker's output goes to its log, not to a terminal",
    use_api_socket: "mount the socket: volumes: [/var/run/docker.sock:/var/run/docker.sock]",
    uts: "take it out, and use hostname",
  },
};

export const deployStrangers: Strangers = {
  refused: {
    replicas: "use spec.replicas",
    update_config: "use spec.rollout",
    rollback_config: "use spec.rollout.onFailure",
    mode: "take it out; a group always has spec.replicas workers",
    restart_policy: "use restart",
    endpoint_mode: "take it out; it belongs to Swarm's networks",
    placement: "take it out; all workers run on one engine",
    labels: "use labels of the template, or metadata.labels",
  },
};

export const reservationStrangers: Strangers = {
  later: { generic_resources: "use devices; generic resources are Swarm's" },
};
export const limitStrangers: Strangers = {
  refused: { devices: "devices stand in deploy.resources.reservations" },
};
export const healthStrangers: Strangers = {
  later: { start_interval: "use interval; engines before 25 leave start_interval out silently" },
};
export const mountStrangers: Strangers = {
  later: { image: "put the files into the image of the worker, or into a volume" },
};
export const bindStrangers: Strangers = {};

/** Types of mounts, by what to do instead. */
export const laterTypes: Readonly<Record<string, string>> = {
  image: "put the files into the image of the worker, or into a volume",
  cluster: "use bind or volume; cluster volumes are Swarm's",
  npipe: "use bind or volume; named pipes are for Windows",
};

const recursion =
  "write enabled, or mount the folders one by one; engines before 25 know nothing else";
export const laterRecursions: Readonly<Record<string, string>> = {
  disabled: recursion,
  readonly: recursion,
  writable: recursion,
};

export const volumeOptionStrangers: Strangers = {
  later: { labels: "make the volume with `docker volume create --label`; wgctl keeps none" },
};

const address = "take it out; each worker needs an address of its own, and the engine gives it one";

export const networkStrangers: Strangers = {
  later: {
    driver_opts: "set them when the network is made: docker network create --opt",
    gw_priority: "take it out; name the network that has the way out first in the alphabet",
    interface_name: "take it out; the engine names the interfaces",
    ipv4_address: address,
    ipv6_address: address,
    link_local_ips: address,
    mac_address: address,
    priority: "take it out; the engine connects the networks in the order of their names",
  },
};
