// Compose's other fields, by the object they stand in: those that workers never take, with what to do instead, and
// those that this version does not take yet.

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
  later: names(`annotations blkio_config cap_add cap_drop cgroup cgroup_parent cpu_count cpu_percent
    cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpuset credential_spec device_cgroup_rules devices
    dns dns_opt dns_search domainname extra_hosts gpus group_add ipc isolation label_file mac_address mem_swappiness
    memswap_limit models oom_kill_disable oom_score_adj pid platform post_start pre_stop privileged
    read_only runtime security_opt shm_size stdin_open storage_opt sysctls tty ulimits use_api_socket
    userns_mode uts`),
};

function names(text: string): readonly string[] {
  return text.split(/\s+/);
}

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

export const reservationStrangers: Strangers = { later: ["devices", "generic_resources"] };
export const limitStrangers: Strangers = { later: ["devices"] };
export const healthStrangers: Strangers = { later: ["start_interval"] };
export const portStrangers: Strangers = { later: ["name", "app_protocol"] };
export const volumeStrangers: Strangers = {
  later: ["volume", "image", "consistency"],
};
export const bindStrangers: Strangers = { later: ["propagation", "recursive"] };
export const tmpfsStrangers: Strangers = { later: ["mode"] };
export const networkStrangers: Strangers = {
  later:
    names(`driver_opts gw_priority interface_name ipv4_address ipv6_address link_local_ips mac_address
    priority`),
};
