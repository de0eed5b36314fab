// Rules across the fields of a template. Each sees only what is right by itself, and says what to change.

import type { PortMapping } from "../../core/template.ts";
import { judgeNames, judgeNetworks } from "./network-rules.ts";
import { type Complain, rule, type Sound } from "./parts.ts";
import { plainTemplate, type SoundTemplate, type TemplateDraft } from "./template.ts";

/** A whole template. */
export const template = plainTemplate.check(
  rule<TemplateDraft>((draft, complain) => {
    judgeNetworks(draft, complain);
    judgeNames(draft, complain);
    judgeTargets(draft, complain);
    judgeDevices(draft, complain);
    judgeLimits(draft, complain);
    judgeSwap(draft, complain);
    judgeCapabilities(draft, complain);
    judgeSecurity(draft, complain);
    judgeWords(draft, complain);
  }),
);

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

function judgeDevices({ devices }: SoundTemplate, complain: Complain): void {
  const targets = (devices ?? []).map((device) =>
    device !== undefined && "target" in device ? device.target : undefined,
  );
  for (const index of repeated(targets))
    complain(["devices", index], `a second device at ${targets[index]}`, { hint: "keep one" });
}

// The engine counts memory and swap together.
function judgeSwap({ memswap_limit, mem_limit, deploy }: SoundTemplate, complain: Complain): void {
  const limit = mem_limit ?? deploy?.resources?.limits?.memory;
  if (!memswap_limit || memswap_limit === -1) return;
  if (!limit)
    complain(["memswap_limit"], "memswap_limit without mem_limit", {
      hint: "set mem_limit, too: memswap_limit is memory and swap together",
      about: "key",
    });
  else if (memswap_limit < limit)
    complain(["memswap_limit"], "memory and swap together are less than mem_limit", {
      hint: "add the swap to mem_limit; the same value as mem_limit means no swap",
    });
}

function judgeCapabilities({ cap_add, cap_drop }: SoundTemplate, complain: Complain): void {
  for (const [index, name] of (cap_drop ?? []).entries())
    if (name !== undefined && cap_add?.includes(name))
      complain(["cap_drop", index], `${name} is dropped, and added in cap_add`, {
        hint: "keep one of them",
      });
}

/** Of two options with one key the engine takes the last; labels add up. */
function judgeSecurity({ security_opt }: SoundTemplate, complain: Complain): void {
  const options = security_opt ?? [];
  const keys = options.map((option, index) =>
    options.indexOf(option) < index ? undefined : option?.split("=", 1).join(),
  );
  for (const index of repeated(keys))
    if (keys[index] !== "label")
      complain(["security_opt", index], `a second ${keys[index]}`, { hint: "keep one" });
}

// An empty entrypoint takes the image's own away; the engine has no such word for a command.
function judgeWords({ command }: SoundTemplate, complain: Complain): void {
  if (command?.length === 0)
    complain(["command"], "an empty command", {
      hint: "leave it out to use the image's own",
      about: "key",
    });
}
