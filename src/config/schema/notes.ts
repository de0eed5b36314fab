// What an editor tells about each field: a sentence, then examples. By path below a document; `*` stands for the names
// of a mapping and `[]` for the items of a list. Only `wgctl schema` reads it, so that no other run pays for it.

import { fileNotes } from "./file-notes.ts";
import type { Note } from "./note.ts";
import { hostNotes } from "./notes-host.ts";

const metadata = {
  "metadata.name": ["A DNS label of at most 40 characters; workers are named after it.", "mailer"],
  "metadata.uid": [
    "The immutable identity, by which workers are recognised. `wgctl uid --write FILE` writes one.",
    "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11",
  ],
} as const satisfies Readonly<Record<string, Note>>;

export const groupNotes: Readonly<Record<string, Note>> = {
  apiVersion: ["The version of this format.", "wgctl.dev/v1"],
  kind: ["What the document declares.", "WorkerGroup"],
  metadata: ["What names the group."],
  ...metadata,
  "metadata.namespace": ["Keeps groups of one name apart; `default` if absent.", "prod"],
  "metadata.deletionTimestamp": [
    "The group is being deleted: its workers leave, and none is made again.",
    "2026-11-29T12:00:00Z",
  ],
  "metadata.labels": ["Free texts for your own use.", { team: "growth" }],
  "metadata.annotations": ["Free texts for your own use.", { wiki: "https://wiki.example/mailer" }],
  spec: ["How many workers there are to be, of what, and how they are replaced."],
  "spec.replicas": ["How many workers there are to be, 0 to 10000.", 3],
  "spec.template": ["What a worker is: a part of a Compose service."],
  "spec.template.image": ["The image, as `docker pull` takes it.", "ghcr.io/acme/mailer:1.4.2"],
  "spec.template.pull_policy": [
    "When to pull the image: `missing` (the default), `never`, or where the registry has a newer one: `always`, `daily`, `weekly`, `every_12h`.",
    "missing",
    "always",
    "every_12h",
  ],
  "spec.template.command": [
    "Replaces the image's command. A text is cut into words as Compose does; no shell runs it.",
    ["bundle", "exec", "sidekiq"],
  ],
  "spec.template.entrypoint": [
    "Replaces the image's entrypoint; an empty list takes it away.",
    ["tini", "--"],
  ],
  "spec.template.environment": [
    "Variables; values keep the text you write, and may hold placeholders such as {{.Task.Slot}}.",
    { QUEUE: "mail", WORKER_NAME: "{{.Service.Name}}-{{.Task.Slot}}" },
  ],
  "spec.template.env_file": [
    "Files of variables; editing one replaces the workers.",
    ["mailer.env"],
  ],
  "spec.template.env_file[].path": ["Where the file is, from the manifest's folder.", "mailer.env"],
  "spec.template.env_file[].required": ["False: the file may be missing.", false],
  "spec.template.labels": ["Labels of the containers.", { team: "growth" }],
  "spec.template.volumes": [
    "Folders of the host, and volumes.",
    ["./config:/etc/mailer:ro", "data-{{.Task.Slot}}:/data"],
  ],
  "spec.template.volumes[].type": [
    "`bind` for a folder of the host, `volume`, or `tmpfs` for memory.",
    "bind",
  ],
  "spec.template.volumes[].source": [
    "The host's path, from the manifest's folder, or the volume's name.",
    "./config",
  ],
  "spec.template.volumes[].target": ["The path in the container.", "/etc/mailer"],
  "spec.template.volumes[].read_only": ["The worker cannot write to it.", true],
  "spec.template.volumes[].bind": ["Options of a bind."],
  "spec.template.volumes[].bind.selinux": ["Relabel for SELinux: `z` shared, `Z` private.", "z"],
  "spec.template.volumes[].bind.create_host_path": ["The engine makes a folder that is missing."],
  "spec.template.volumes[].tmpfs": ["Options of a tmpfs."],
  "spec.template.volumes[].tmpfs.size": ["The most it may hold.", "64m"],
  "spec.template.networks": [
    "Networks by the name that `docker network ls` shows; they must exist.",
    ["shop_default"],
  ],
  "spec.template.networks.*.aliases": ["More names of the worker in that network.", ["mailer"]],
  "spec.template.network_mode": [
    "`none`, `host`, `bridge` or `container:NAME`, instead of networks.",
    "none",
  ],
  "spec.template.ports": [
    "Published ports. A host port is had once: put the slot in it, or give a range of which slot n has the n-th.",
    ["127.0.0.1:80{{.Task.Slot}}:80", "5200-5209:5000"],
  ],
  "spec.template.ports[].target": ["The port in the container.", 80],
  "spec.template.ports[].published": ["The host's port; absent: the engine picks one.", "8080"],
  "spec.template.ports[].protocol": ["`tcp` (the default), `udp` or `sctp`.", "tcp"],
  "spec.template.ports[].host_ip": ["The host's address to listen on; absent: all.", "127.0.0.1"],
  "spec.template.ports[].mode": ["Has no meaning here; taken as Compose takes it.", "host"],
  "spec.template.restart": [
    "What the engine does when the worker ends, before wgctl looks.",
    "unless-stopped",
    "on-failure:3",
  ],
  "spec.template.healthcheck": ["How the engine finds out whether the worker is well."],
  "spec.template.healthcheck.test": [
    "The command that exits 0 while it is.",
    ["CMD", "bin/healthy"],
    "curl -f localhost",
  ],
  "spec.template.healthcheck.interval": ["The time between two tests.", "10s"],
  "spec.template.healthcheck.timeout": ["A test that takes longer has failed.", "3s"],
  "spec.template.healthcheck.retries": ["So many failures in a row make it unhealthy.", 3],
  "spec.template.healthcheck.start_period": [
    "Failures do not count so long after the start.",
    "20s",
  ],
  "spec.template.healthcheck.disable": ["True: no test, not even the image's own.", true],
  "spec.template.stop_signal": [
    "The signal that asks it to stop; the image's or SIGTERM if absent.",
    "SIGTERM",
  ],
  "spec.template.stop_grace_period": [
    "The time to stop in before it is killed; 10s if absent.",
    "45s",
  ],
  "spec.template.cpus": ["The CPUs it may use.", 0.5],
  "spec.template.mem_limit": ["The memory it may use, 6M at least.", "256M"],
  "spec.template.mem_reservation": ["The memory to keep for it.", "128M"],
  "spec.template.pids_limit": ["Its processes and threads at most; -1: no limit.", 200],
  "spec.template.deploy": ["Limits and reservations, as Compose has them for Swarm."],
  "spec.template.deploy.resources": ["Limits and reservations."],
  "spec.template.deploy.resources.limits": ["What it may use."],
  "spec.template.deploy.resources.limits.cpus": ["The CPUs it may use.", "0.5"],
  "spec.template.deploy.resources.limits.memory": ["The memory it may use, 6M at least.", "256M"],
  "spec.template.deploy.resources.limits.pids": [
    "Its processes and threads at most; -1: no limit.",
    200,
  ],
  "spec.template.deploy.resources.reservations": ["What to keep for it."],
  "spec.template.deploy.resources.reservations.cpus": ["The CPUs to keep for it.", "0.25"],
  "spec.template.deploy.resources.reservations.memory": ["The memory to keep for it.", "128M"],
  "spec.template.working_dir": ["The folder its command begins in.", "/srv/app"],
  "spec.template.user": ["The user it runs as, and its group.", "1000:1000"],
  "spec.template.hostname": [
    "Its own name; with more than one worker it carries the slot.",
    "mailer-{{.Task.Slot}}",
  ],
  "spec.template.init": ["A small init is its first process and reaps the others.", true],
  "spec.template.tmpfs": ["File systems in memory.", ["/tmp:size=64m"]],
  "spec.template.logging": ["Where its output goes."],
  "spec.template.logging.driver": ["The engine's logging driver.", "json-file"],
  "spec.template.logging.options": ["Options of the driver.", { "max-size": "10m" }],
  ...fileNotes,
  ...hostNotes,
  "spec.rollout": ["How old workers are replaced by new ones."],
  "spec.rollout.strategy": [
    "`RollingUpdate`, or `Recreate`: all old ones are gone before the first new one.",
    "RollingUpdate",
  ],
  "spec.rollout.maxUnavailable": [
    "How many may be missing meanwhile: a number or a share, rounded down; 1 if absent.",
    1,
    "25%",
  ],
  "spec.rollout.maxSurge": [
    "How many may exist above replicas: a number or a share, rounded up; 0 if absent.",
    0,
    "25%",
  ],
  "spec.rollout.minReadySeconds": [
    "So long a worker must be ready without a break before it counts; 5 if absent.",
    5,
  ],
  "spec.rollout.healthyDeadlineSeconds": [
    "A new worker that is not available by then has failed; 300 if absent.",
    300,
  ],
  "spec.rollout.progressDeadlineSeconds": [
    "A rollout that does not move for so long has failed; 600 if absent.",
    600,
  ],
  "spec.rollout.onFailure": [
    "What a failed rollout does: `Pause` stays as it is, `Rollback` brings the last complete revision back.",
    "Pause",
  ],
  "spec.rollout.paused": ["True: no old worker is replaced.", false],
  "spec.drain": ["How a worker is made to finish its work before it is stopped."],
  "spec.drain.quiet": ["What tells it to take no new work: a signal or a command in it."],
  "spec.drain.quiet.signal": ["The signal.", "TSTP"],
  "spec.drain.quiet.exec": ["The command, run in the worker.", ["bin/quiet"]],
  "spec.drain.waitFor": ["What it is waited for before its stop signal."],
  "spec.drain.waitFor.exec": ["A command in it that exits 0 once it has no work.", ["bin/idle"]],
  "spec.drain.waitFor.timeoutSeconds": [
    "It is stopped after so long all the same; 900 if absent.",
    900,
  ],
  "spec.drain.idle": ["What tells the idle from the busy: those go first when the group shrinks."],
  "spec.drain.idle.exec": ["A command in it that exits 0 while it has no work.", ["bin/idle"]],
  "spec.onExit": ["What happens when a worker that the engine does not restart has ended."],
  "spec.onExit.success": [
    "After exit code 0: `Recreate` a fresh one, `Restart` the same, or `Leave` it, for its work is done.",
    "Recreate",
  ],
  "spec.onExit.failure": ["After any other.", "Recreate"],
  "spec.onUnhealthy": [
    "What happens to a worker that was well and has become unhealthy: `Replace` or `Report`.",
    "Replace",
  ],
  "spec.restartNonce": [
    "Change it to replace all workers though nothing else changed.",
    "2026-11-29",
  ],
  "spec.suspend": ["True: observe and report, and change nothing.", false],
  "spec.adopt": [
    "Whole ids of containers that somebody else made: workers take their place, and then they are removed. " +
      "`wgctl adopt` writes it and takes it out again.",
  ],
};

export const projectNotes: Readonly<Record<string, Note>> = {
  apiVersion: ["The version of this format.", "wgctl.dev/v1"],
  kind: ["What the document declares.", "Project"],
  metadata: ["What names the project."],
  ...metadata,
  "metadata.name": ["A DNS label.", "payments"],
  "metadata.uid": [
    "The immutable identity: only workers that carry it are ever pruned.",
    metadata["metadata.uid"][1],
  ],
  spec: ["What belongs to the project, and how it is applied."],
  "spec.manifests": [
    "Files and folders of manifests; absent: everything beside and below this file.",
    ["groups/"],
  ],
  "spec.engine": ["The engine the project is for."],
  "spec.engine.type": ["The kind of engine.", "docker"],
  "spec.engine.context": [
    "The Docker context; absent: what the docker command would use.",
    "default",
  ],
  "spec.env": ["Variables of the shell that manifests may read.", ["CI_TAG"]],
  "spec.budget": ["How much one pass may do."],
  "spec.budget.actionsPerPass": ["Engine calls in one pass; 100 if absent.", 100],
  "spec.prune": ["True: workers of groups that left the manifests are removed.", false],
};
