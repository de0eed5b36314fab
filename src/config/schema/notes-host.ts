// What an editor tells about the fields of a template that say what a worker has of its host: rights, limits, names,
// devices, and options of mounts. In the form of notes.ts, which is the only one to read it.

import type { Note } from "./note.ts";

const requestNotes = (path: string): Readonly<Record<string, Note>> => ({
  [`${path}[].driver`]: ["The driver; absent: one that has the capabilities.", "nvidia"],
  [`${path}[].count`]: [
    "How many devices, or `all`, which is meant where nothing is said.",
    1,
    "all",
  ],
  [`${path}[].device_ids`]: [
    "Which devices. Of a range, which counts from 0 where slots count from 1, slot n has the n-th.",
    ["0-3"],
    ["GPU-18a3e86f-4c0e-cd9f-59c3-55488c4b0c24"],
  ],
  [`${path}[].capabilities`]: ["What the devices can do.", ["gpu", "utility"]],
  [`${path}[].options`]: ["Options of the driver.", { virtualization: "false" }],
});

const RESERVED = "spec.template.deploy.resources.reservations.devices";

export const hostNotes: Readonly<Record<string, Note>> = {
  "spec.template.env_file[].format": [
    "`raw`: values are taken as they stand, with quotes and dollars.",
    "raw",
  ],
  "spec.template.volumes[].consistency": ["Has no meaning here; taken as Compose takes it."],
  "spec.template.volumes[].bind.propagation": [
    "How mounts made later are seen on the other side; `rprivate` (not at all) if absent.",
    "rslave",
  ],
  "spec.template.volumes[].bind.recursive": ["Has no other form here.", "enabled"],
  "spec.template.volumes[].volume": ["Options of a volume."],
  "spec.template.volumes[].volume.nocopy": [
    "True: the volume stays empty, whatever the image has at the target.",
    true,
  ],
  "spec.template.volumes[].volume.subpath": [
    "The folder in the volume that is mounted; it must exist. Engines from 26.",
    "uploads",
  ],
  "spec.template.volumes[].tmpfs.mode": ["Its permissions in octal.", "01777"],
  "spec.template.ports[].name": ["Has no meaning here; taken as Compose takes it.", "web"],
  "spec.template.ports[].app_protocol": ["Has no meaning here; taken as Compose takes it.", "http"],
  "spec.template.memswap_limit": [
    "Memory and swap together, at least mem_limit; the same: no swap, -1: no limit.",
    "512M",
  ],
  "spec.template.mem_swappiness": [
    "How readily the kernel swaps it out, 0 to 100; kernels with cgroup v2 have no such setting.",
    10,
  ],
  "spec.template.shm_size": ["The size of /dev/shm; 64M if absent.", "256M"],
  "spec.template.platform": [
    "The platform of the image, `os/architecture`; absent: the engine's own.",
    "linux/arm64",
  ],
  "spec.template.runtime": ["The OCI runtime, by the engine's name for it.", "runsc"],
  "spec.template.privileged": ["True: it may do whatever root of the host may.", false],
  "spec.template.cap_add": ["Capabilities that it has besides the usual ones.", ["NET_ADMIN"]],
  "spec.template.cap_drop": ["Capabilities that are taken from it.", ["ALL"]],
  "spec.template.security_opt": [
    "Options of the kernel's guards; the profile of seccomp is a JSON file from the manifest's folder.",
    ["no-new-privileges=true", "seccomp=./seccomp.json"],
  ],
  "spec.template.read_only": ["True: its root file system cannot be written to.", true],
  "spec.template.group_add": ["More groups of its user.", ["audio", "1000"]],
  "spec.template.userns_mode": ["`host`: it shares the host's user namespace.", "host"],
  "spec.template.ipc": [
    "Whose shared memory it sees: `private`, `shareable`, `host`, `none`, `container:NAME`.",
    "host",
  ],
  "spec.template.pid": ["Whose processes it sees: `host`, `container:NAME`.", "host"],
  "spec.template.ulimits": [
    "Limits of each process; one number for both, or soft and hard. -1: no limit.",
    { nofile: { soft: 20000, hard: 40000 }, nproc: 65535 },
  ],
  "spec.template.ulimits.*.soft": ["The limit that is in force.", 20000],
  "spec.template.ulimits.*.hard": ["How far the process may raise it.", 40000],
  "spec.template.sysctls": [
    "Parameters of the kernel in its namespaces.",
    { "net.core.somaxconn": 1024 },
  ],
  "spec.template.oom_score_adj": [
    "How readily the kernel kills it when memory is short, -1000 (never) to 1000.",
    500,
  ],
  "spec.template.dns": ["Name servers, in the order they are asked.", ["192.0.2.53"]],
  "spec.template.dns_search": ["Domains that short names are looked up in.", ["example.org"]],
  "spec.template.dns_opt": ["Options of the resolver.", ["ndots:2"]],
  "spec.template.extra_hosts": [
    "Names with addresses of their own; host-gateway stands for the engine's host.",
    { "api.example.org": "192.0.2.7", db: "host-gateway" },
  ],
  "spec.template.devices": [
    "Devices of the host, `source:target:permissions`.",
    ["/dev/ttyUSB{{.Task.Slot}}:/dev/ttyUSB0:rw"],
  ],
  "spec.template.devices[].source": ["The path on the host.", "/dev/ttyUSB{{.Task.Slot}}"],
  "spec.template.devices[].target": [
    "The path in the container; absent: the same.",
    "/dev/ttyUSB0",
  ],
  "spec.template.devices[].permissions": [
    "r (read), w (write), m (make nodes); rwm if absent.",
    "rw",
  ],
  "spec.template.gpus": ["GPUs: `all`, or a list of what is asked for.", "all", [{ count: 1 }]],
  ...requestNotes("spec.template.gpus"),
  [RESERVED]: ["Devices that a driver picks, such as GPUs.", [{ capabilities: ["gpu"], count: 1 }]],
  ...requestNotes(RESERVED),
};
