// The schema of spec.template: the part of a Compose service that workers take.

import * as z from "zod/mini";
import { readImage, readRestart, readSignal } from "../forms/names.ts";
import { readCpus, readGrace, readMemory } from "../forms/numbers.ts";
import { bad, good } from "../forms/reading.ts";
import { readWords } from "../forms/words.ts";
import { envFiles } from "./env-file.ts";
import { environment, labels } from "./keyed.ts";
import { type Complain, fields, leaf, maybe, rule, type Sound } from "./parts.ts";
import { templateStrangers } from "./strangers.ts";
import { deploy, healthcheck, networkMode, networks, ports, volumes } from "./template-parts.ts";

const words = z.union([
  leaf((text) => {
    const read = readWords(text);
    return read.ok && read.value.length === 0
      ? bad("is empty", "leave it out to use the image's own")
      : read;
  }),
  z.array(z.string()),
]);

const pullPolicy = leaf((text) => {
  if (text === "missing" || text === "if_not_present") return good<"missing">("missing");
  if (text === "never") return good<"never">("never");
  return bad("is not supported by this version", "write missing or never");
});

const templateFields = {
  image: leaf(readImage),
  pull_policy: maybe(pullPolicy),
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
  cpus: maybe(leaf(readCpus)),
  mem_limit: maybe(leaf(readMemory)),
  deploy: maybe(deploy),
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

function judgeTargets({ volumes, ports }: SoundTemplate, complain: Complain): void {
  const targets = (volumes ?? []).map((mount) => mount?.target);
  for (const index of repeated(targets))
    complain(["volumes", index], `a second mount at ${targets[index]}`, { hint: "keep one" });
  const hosts = (ports ?? []).map((port) =>
    port?.published ? `${port.host_ip ?? ""}:${port.published}/${port.protocol}` : undefined,
  );
  for (const index of repeated(hosts))
    complain(["ports", index], "a second mapping of the same host port", { hint: "keep one" });
}

/** Indices of values that an earlier one equals. */
function repeated(values: readonly (string | undefined)[]): readonly number[] {
  return values.flatMap((value, index) =>
    value !== undefined && values.indexOf(value) < index ? [index] : [],
  );
}

function judgeLimits({ cpus, mem_limit, deploy }: SoundTemplate, complain: Complain): void {
  const limits = deploy?.resources?.limits;
  const path = ["deploy", "resources", "limits"] as const;
  const hint = "set it in one of the two places";
  if (cpus && limits?.cpus && cpus !== limits.cpus)
    complain([...path, "cpus"], "another limit than cpus", { hint });
  if (mem_limit && limits?.memory && mem_limit !== limits.memory)
    complain([...path, "memory"], "another limit than mem_limit", { hint });
}

function judgeWords({ command, entrypoint }: SoundTemplate, complain: Complain): void {
  for (const [key, list] of Object.entries({ command, entrypoint }))
    if (list?.length === 0)
      complain([key], `an empty ${key}`, {
        hint: "leave it out to use the image's own",
        about: "key",
      });
}
