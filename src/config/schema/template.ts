// The schema of spec.template: the part of a Compose service that workers take.

import * as z from "zod/mini";
import type { PortMapping } from "../../core/model.ts";
import {
  readHostname,
  readImage,
  readRestart,
  readSignal,
  readUser,
  readWorkingDir,
} from "../forms/names.ts";
import { readBoolean, readCpus, readGrace, readMemory, readPids } from "../forms/numbers.ts";
import { readPullPolicy } from "../forms/pull-policy.ts";
import { readWords } from "../forms/words.ts";
import { envFiles } from "./env-file.ts";
import { configUses, secretUses } from "./file-mounts.ts";
import { healthcheck } from "./health.ts";
import { environment, labels } from "./keyed.ts";
import { tmpfs, volumes } from "./mounts.ts";
import { networkMode, networks, ports } from "./network.ts";
import { type Complain, fields, leaf, maybe, rule, type Sound } from "./parts.ts";
import { deploy, logging } from "./resources.ts";
import { templateStrangers } from "./strangers.ts";

const words = z.union([leaf(readWords), z.array(z.string())]);

const templateFields = {
  image: leaf(readImage),
  pull_policy: maybe(leaf(readPullPolicy)),
  command: maybe(words),
  entrypoint: maybe(words),
  environment: maybe(environment),
  env_file: maybe(envFiles),
  labels: maybe(labels),
  volumes: maybe(volumes),
  networks: maybe(networks),
  network_mode: maybe(networkMode),
  ports: maybe(ports),
  restart: maybe(leaf(readRestart)),
  healthcheck: maybe(healthcheck),
  stop_signal: maybe(leaf(readSignal)),
  stop_grace_period: maybe(leaf(readGrace)),
  cpus: maybe(leaf(readCpus, "number")),
  mem_limit: maybe(leaf(readMemory)),
  mem_reservation: maybe(leaf(readMemory)),
  pids_limit: maybe(leaf(readPids, "integer")),
  deploy: maybe(deploy),
  working_dir: maybe(leaf(readWorkingDir)),
  user: maybe(leaf(readUser)),
  hostname: maybe(leaf(readHostname)),
  init: maybe(leaf(readBoolean, "boolean")),
  tmpfs: maybe(tmpfs),
  logging: maybe(logging),
  secrets: maybe(secretUses),
  configs: maybe(configUses),
};

const plainTemplate = fields(templateFields, templateStrangers);

/** A template as written, every field in one form; the two ways to set a limit not yet made one. */
export type TemplateDraft = z.output<typeof plainTemplate>;
type SoundTemplate = Sound<TemplateDraft>;

export const template = plainTemplate.check(
  rule<TemplateDraft>((draft, complain) => {
    judgeNetworks(draft, complain);
    judgeTargets(draft, complain);
    judgeLimits(draft, complain);
    judgeWords(draft, complain);
  }),
);

function judgeNetworks({ networks, network_mode, ports }: SoundTemplate, complain: Complain): void {
  if (!network_mode) return;
  if (networks && Object.keys(networks).length > 0)
    complain(["network_mode"], "network_mode together with networks", { hint: "keep one of them" });
  if (network_mode === "bridge" || !ports?.length) return;
  complain(["ports"], `ports have no effect with network_mode ${network_mode}`, {
    hint:
      network_mode === "host"
        ? "take ports out; the worker's ports are the host's"
        : "take one of them out",
    about: "key",
  });
}

function judgeTargets({ volumes, tmpfs, ports }: SoundTemplate, complain: Complain): void {
  const mounts = (volumes ?? []).map((mount) => mount?.target);
  const all = [...mounts, ...(tmpfs ?? []).map((mount) => mount?.target)];
  for (const index of repeated(all)) {
    const path = index < mounts.length ? ["volumes", index] : ["tmpfs"];
    complain(path, `a second mount at ${all[index]}`, { hint: "keep one" });
  }
  const hosts = (ports ?? []).map((mappings) =>
    mappings?.map(hostPort).find((host) => host !== undefined),
  );
  for (const index of repeated(hosts))
    complain(["ports", index], "a second mapping of the same host port", { hint: "keep one" });
}

function hostPort(port: Sound<PortMapping> | undefined): string | undefined {
  return port?.published && `${port.host_ip ?? ""}:${port.published}/${port.protocol}`;
}

/** Indices of values that an earlier one equals. */
function repeated(values: readonly (string | undefined)[]): readonly number[] {
  return values.flatMap((value, index) =>
    value !== undefined && values.indexOf(value) < index ? [index] : [],
  );
}

function judgeLimits(draft: SoundTemplate, complain: Complain): void {
  const { cpus, mem_limit, mem_reservation, pids_limit, deploy } = draft;
  const { limits, reservations } = deploy?.resources ?? {};
  const path = ["deploy", "resources"] as const;
  const hint = "set it in one of the two places";
  if (cpus && limits?.cpus && cpus !== limits.cpus)
    complain([...path, "limits", "cpus"], "another limit than cpus", { hint });
  if (mem_limit && limits?.memory && mem_limit !== limits.memory)
    complain([...path, "limits", "memory"], "another limit than mem_limit", { hint });
  if (pids_limit && limits?.pids && pids_limit !== limits.pids)
    complain([...path, "limits", "pids"], "another limit than pids_limit", { hint });
  if (mem_reservation && reservations?.memory && mem_reservation !== reservations.memory)
    complain([...path, "reservations", "memory"], "another amount than mem_reservation", { hint });
  const [limit, reserved] = [mem_limit ?? limits?.memory, mem_reservation ?? reservations?.memory];
  if (limit && reserved && reserved > limit)
    complain(
      reservations?.memory ? [...path, "reservations", "memory"] : ["mem_reservation"],
      "more memory is reserved than the limit allows",
      { hint: "reserve at most the limit" },
    );
}

// An empty entrypoint takes the image's own away; the engine has no such word for a command.
function judgeWords({ command }: SoundTemplate, complain: Complain): void {
  if (command?.length === 0)
    complain(["command"], "an empty command", {
      hint: "leave it out to use the image's own",
      about: "key",
    });
}
