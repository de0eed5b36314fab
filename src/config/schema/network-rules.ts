// Rules of a template about its networks, and about what an engine takes from them: ports, names, name servers.

import type { Complain } from "./parts.ts";
import type { SoundTemplate } from "./template.ts";

export function judgeNetworks(
  { networks, network_mode, ports }: SoundTemplate,
  complain: Complain,
): void {
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

/** Who has no network of its own has no names of its own in it either. */
export function judgeNames(draft: SoundTemplate, complain: Complain): void {
  const { network_mode: mode } = draft;
  if (!mode || mode === "bridge") return;
  const useless = fieldsWithoutEffect(mode).filter((name) => draft[name]);
  for (const name of useless)
    complain([name], `${name} has no effect with network_mode ${mode}`, {
      hint: "take one of them out",
      about: "key",
    });
  if (mode === "host") judgeNetworkSysctls(draft, complain);
}

function fieldsWithoutEffect(mode: string) {
  if (mode === "host") return [];
  const resolving = ["dns", "dns_search", "dns_opt"] as const;
  return mode === "none" ? resolving : ([...resolving, "extra_hosts", "hostname"] as const);
}

function judgeNetworkSysctls({ sysctls }: SoundTemplate, complain: Complain): void {
  for (const name of Object.keys(sysctls ?? {}).filter((key) => /^net[./]/.test(key)))
    complain(["sysctls", name], `${name} cannot be set with network_mode host`, {
      hint: "set it on the host, or take network_mode out",
    });
}
