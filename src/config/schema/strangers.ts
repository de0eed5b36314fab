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
  later: [
    ..."annotations blkio_config cap_add cap_drop cgroup cgroup_parent configs cpu_count cpu_percent".split(
      " ",
    ),
    ..."cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpuset credential_spec".split(
      " ",
    ),
    ..."device_cgroup_rules devices dns dns_opt dns_search domainname extra_hosts gpus".split(" "),
    ..."group_add hostname init ipc isolation label_file logging mac_address mem_reservation".split(
      " ",
    ),
    ..."mem_swappiness memswap_limit models oom_kill_disable oom_score_adj pid pids_limit platform".split(
      " ",
    ),
    ..."post_start pre_stop privileged read_only runtime secrets security_opt shm_size stdin_open".split(
      " ",
    ),
    ..."storage_opt sysctls tmpfs tty ulimits use_api_socket user userns_mode uts working_dir".split(
      " ",
    ),
  ],
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

export const resourceStrangers: Strangers = { later: ["reservations"] };
export const limitStrangers: Strangers = { later: ["pids", "devices"] };
export const healthStrangers: Strangers = { later: ["start_interval"] };
export const portStrangers: Strangers = { later: ["name", "app_protocol"] };
export const volumeStrangers: Strangers = {
  later: ["bind", "volume", "tmpfs", "image", "consistency"],
};
export const networkStrangers: Strangers = {
  later: [
    ..."driver_opts gw_priority interface_name ipv4_address ipv6_address".split(" "),
    ..."link_local_ips mac_address priority".split(" "),
  ],
};
