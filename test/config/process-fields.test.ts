// What a worker may do: rights, limits of its processes, namespaces, platform. YAML in, normal form or refusal out.

import { expect, test } from "vitest";
import { templateLabel } from "../../src/core/revision.ts";
import { manifest, specOf } from "./manifests.ts";
import { refusals } from "./refusals.ts";

const MIB = 1024 ** 2;

test.each<readonly [string, object]>([
  ["platform: linux/arm64", { platform: "linux/arm64" }],
  ["platform: Linux/ARM64/v8", { platform: "linux/arm64" }],
  ["platform: aarch64", { platform: "linux/arm64" }],
  ["platform: linux/x86_64", { platform: "linux/amd64" }],
  ["platform: linux/arm", { platform: "linux/arm/v7" }],
  ["platform: linux/arm/v6", { platform: "linux/arm/v6" }],
  ["platform: armhf", { platform: "linux/arm/v7" }],
  ["platform: linux", { platform: "linux" }],
  ["platform: constructor/valueof", { platform: "constructor/valueof" }],
  [`platform: "\${NONE:-}"`, {}],
  ["runtime: io.containerd.kata.v2", { runtime: "io.containerd.kata.v2" }],
  ["privileged: true", { privileged: true }],
  ["privileged: false", {}],
  ["read_only: true", { read_only: true }],
  ["read_only: false", {}],
  ["cap_add: [SYS_TIME, cap_net_admin, NET_ADMIN]", { cap_add: ["NET_ADMIN", "SYS_TIME"] }],
  ["cap_drop: [all]", { cap_drop: ["ALL"] }],
  ["cap_add: [CHOWN]\ncap_drop: [ALL]", { cap_add: ["CHOWN"], cap_drop: ["ALL"] }],
  ["cap_add: []", {}],
  [
    "security_opt: [seccomp:unconfined, no-new-privileges, 'label:user:a', label=disable]",
    {
      security_opt: [
        "label=disable",
        "label=user:a",
        "no-new-privileges=true",
        "seccomp=unconfined",
      ],
    },
  ],
  [
    "security_opt: [no-new-privileges:true, no-new-privileges=true]",
    { security_opt: ["no-new-privileges=true"] },
  ],
  ["security_opt: [no-new-privileges=false]", { security_opt: ["no-new-privileges=false"] }],
  ["security_opt: [systempaths=unconfined]", { security_opt: ["systempaths=unconfined"] }],
  ["security_opt: [apparmor:docker-default]", { security_opt: ["apparmor=docker-default"] }],
  ["group_add: [video, 44, audio, video]", { group_add: ["44", "audio", "video"] }],
  ["userns_mode: host", { userns_mode: "host" }],
  ["userns_mode: keep-id:uid=1000", { userns_mode: "keep-id:uid=1000" }],
  ["ipc: none", { ipc: "none" }],
  ["ipc: container:db", { ipc: "container:db" }],
  ["pid: container:db", { pid: "container:db" }],
  [
    "ulimits: {nproc: 65535, nofile: {hard: 40000, soft: 20000}, core: -1, cpu: 0}",
    {
      ulimits: {
        nproc: { soft: 65_535, hard: 65_535 },
        nofile: { soft: 20_000, hard: 40_000 },
        core: { soft: -1, hard: -1 },
        cpu: { soft: 0, hard: 0 },
      },
    },
  ],
  ["ulimits: {nofile: {soft: 5, hard: -1}}", { ulimits: { nofile: { soft: 5, hard: -1 } } }],
  [
    "sysctls: [net.core.somaxconn=1024, 'kernel.sem=250 32000 100 128']",
    { sysctls: { "net.core.somaxconn": "1024", "kernel.sem": "250 32000 100 128" } },
  ],
  ["sysctls: {net.ipv4.tcp_syncookies: 0}", { sysctls: { "net.ipv4.tcp_syncookies": "0" } }],
  ["oom_score_adj: -1000", { oom_score_adj: -1000 }],
  ["oom_score_adj: 0", {}],
  ["shm_size: 256m", { shm_size: 256 * MIB }],
  ["mem_swappiness: 0", { mem_swappiness: 0 }],
  ["memswap_limit: -1", { memswap_limit: -1 }],
  ["mem_limit: 64m\nmemswap_limit: 64m", { mem_limit: 64 * MIB, memswap_limit: 64 * MIB }],
  [
    "deploy: {resources: {limits: {memory: 64m}}}\nmemswap_limit: 1g",
    { mem_limit: 64 * MIB, memswap_limit: 1024 * MIB },
  ],
])("%s", async (yaml, expected) => {
  expect((await specOf(manifest(yaml))).template).toEqual({ image: "busybox:1.36", ...expected });
});

test.each<readonly [string, ...string[]]>([
  ["platform: linux/a/b/c", 'platform: "linux/a/b/c" is no platform (write it as linux/arm64)'],
  [
    "runtime: a b",
    'runtime: "a b" is no name of a runtime (write it as the engine names it, such as runc)',
  ],
  ["privileged: yes", 'privileged: "yes" is neither true nor false (write true)'],
  ["cap_add: [NET_ADMN]", 'cap_add[0]: "NET_ADMN" is no capability (did you mean "NET_ADMIN"?)'],
  ["cap_drop: [x]", 'cap_drop[0]: "x" is no capability (write a name such as NET_ADMIN)'],
  [
    "cap_add: [KILL, CHOWN]\ncap_drop: [CAP_CHOWN, kill]",
    "cap_drop[0]: CHOWN is dropped, and added in cap_add (keep one of them)",
    "cap_drop[1]: KILL is dropped, and added in cap_add (keep one of them)",
  ],
  [
    "security_opt: [no-new-privilege]",
    'security_opt[0]: "no-new-privilege" is no security option (did you mean "no-new-privileges"?)',
  ],
  [
    "security_opt: [seccomp, 'no-new-privileges:2', 'systempaths=all']",
    'security_opt[0]: "seccomp" has no value (write seccomp=...)',
    'security_opt[1]: "no-new-privileges:2" is neither true nor false (write no-new-privileges=true)',
    'security_opt[2]: "systempaths=all" has no such value (write systempaths=unconfined)',
  ],
  [
    "security_opt: [apparmor=a, apparmor:b, label=a, label=b]",
    "security_opt[1]: a second apparmor (keep one)",
  ],
  ["group_add: ['a b']", 'group_add[0]: "a b" is no group (write the name or the number of one)'],
  [
    "userns_mode: private",
    'userns_mode: "private" is no mode of user namespaces (write host; Podman also takes auto, keep-id and nomap)',
  ],
  [
    "ipc: service:web\npid: service:web",
    'ipc: "service:web" names a Compose service (write container:NAME with the name of a container)',
    'pid: "service:web" names a Compose service (write container:NAME with the name of a container)',
  ],
  ["ipc: sharable", 'ipc: "sharable" is no IPC mode (did you mean "shareable"?)'],
  ["pid: private", 'pid: "private" is no PID mode (write one of host, container:NAME)'],
  ["ulimits: {nofile: }", "ulimits.nofile: nofile is empty (give it a value)"],
  ["ulimits: {nofiles: 5}", 'ulimits.nofiles: nofiles is no ulimit (did you mean "nofile"?)'],
  [
    "ulimits: {memlock: 64m, nofile: -2}",
    'ulimits.memlock: "64m" is not a whole number (write a plain number, or -1 for no limit)',
    'ulimits.nofile: "-2" is out of range (write a plain number, or -1 for no limit)',
  ],
  [
    "ulimits: {nofile: {soft: 3, hard: 2}, nproc: {soft: -1, hard: 2}, core: {soft: 1}}",
    "ulimits.nofile.soft: the soft limit 3 is above the hard limit 2 (raise the hard limit, or lower the soft one)",
    "ulimits.nproc.soft: the soft limit -1 is above the hard limit 2 (raise the hard limit, or lower the soft one)",
    "ulimits.core.hard: hard is missing (-)",
  ],
  [
    "sysctls: [net.core.somaxconn, somaxconn=1]",
    'sysctls[0]: "net.core.somaxconn" has no value (give it one)',
    'sysctls[1]: "somaxconn=1" is not the name of a sysctl (write it as net.core.somaxconn: 1024)',
  ],
  ["sysctls: {a.b: }", 'sysctls."a.b": a.b has no value (give it one)'],
  [
    "network_mode: host\nsysctls: {net.core.somaxconn: 1}",
    'sysctls."net.core.somaxconn": net.core.somaxconn cannot be set with network_mode host ' +
      "(set it on the host, or take network_mode out)",
  ],
  [
    "oom_score_adj: 1001",
    'oom_score_adj: "1001" is out of range (write a number from -1000 to 1000)',
  ],
  ["mem_swappiness: -1", 'mem_swappiness: "-1" is out of range (write a number from 0 to 100)'],
  ["shm_size: 0", 'shm_size: "0" is no size to work in (write one such as 64M, or leave it out)'],
  [
    "memswap_limit: 64m",
    "memswap_limit: memswap_limit without mem_limit (set mem_limit, too: memswap_limit is memory and swap together)",
  ],
  [
    "mem_limit: 64m\nmemswap_limit: 63m",
    "memswap_limit: memory and swap together are less than mem_limit " +
      "(add the swap to mem_limit; the same value as mem_limit means no swap)",
  ],
  [
    "memswap_limit: 0",
    'memswap_limit: "0" is less memory than the engine accepts as a limit ' +
      "(write memory and swap together, or -1 for no limit)",
  ],
])("%s is refused", async (yaml, ...expected) => {
  expect(await refusals(yaml)).toEqual(expected);
});

const spellings = [
  ["cap_add: [KILL, CHOWN]", "cap_add: [cap_chown, kill, KILL]"],
  ["group_add: [a, b]", "group_add: [b, a, b]"],
  [
    "security_opt: [label=disable, seccomp=builtin]",
    "security_opt: ['seccomp:builtin', 'label:disable']",
  ],
  [
    "ulimits: {nofile: 5, core: 1}",
    "ulimits: {core: {hard: 1, soft: 1}, nofile: {soft: '5', hard: 5}}",
  ],
  ["sysctls: {a.b: 1, a.c: 2}", "sysctls: [a.c=2, a.b=1]"],
  [
    "image: a",
    "privileged: false\nread_only: false\noom_score_adj: 0\ncap_add: []\nsysctls: []\nimage: a",
  ],
] as const;

test.each(spellings)("%s and %s are one template", async (one, other) => {
  const label = async (yaml: string) => templateLabel((await specOf(manifest(yaml))).template);
  expect(await label(one)).toBe(await label(other));
});
