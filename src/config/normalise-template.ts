// A checked template -> Template: one form for each meaning, absolute paths. Decides nothing.

import { isAbsolute, join, normalize, resolve } from "node:path";
import { definedOnly, unlessEmpty } from "../core/defined.ts";
import type { DeviceMapping, DeviceRequest, Logging, Mount, Template } from "../core/template.ts";
import type { DeviceDraft } from "./forms/devices.ts";
import type { MountDraft } from "./forms/volumes.ts";
import type { TemplateDraft } from "./schema/template.ts";

export type Folders = {
  /** Absolute folder of the manifest, which relative paths begin at. */
  readonly folder: string;
  /** What `~` stands for. */
  readonly home: () => string;
};

/** What files and folders give to a template. */
export type TemplateParts = {
  /** The joined one, of files and of the template. */
  readonly environment: Readonly<Record<string, string>>;
  /** Security options by those that name a file. */
  readonly profiles: ReadonlyMap<string, string>;
  readonly folders: Folders;
};

/** Without secrets and configs, which come later, with what is in their files. */
export function normaliseTemplate(draft: TemplateDraft, parts: TemplateParts): Template {
  const { pull_policy: _, env_file: __, secrets: ___, configs: ____, ...rest } = draft;
  const { deploy, ports, volumes, tmpfs, gpus, ...same } = rest;
  const { limits, reservations } = deploy?.resources ?? {};
  const mounts = (volumes ?? []).flatMap((mount) => (mount.type === "tmpfs" ? [] : [mount]));
  const inMemory = [...(volumes ?? []), ...(tmpfs ?? [])].flatMap((mount) =>
    mount.type === "tmpfs" ? [[mount.target, mount.options] as const] : [],
  );
  const requests = [
    ...(reservations?.devices ?? []),
    ...namedDevices(same.devices),
    ...(gpus ?? []),
  ];
  return definedOnly<Template>({
    ...same,
    ...normaliseRights(draft, parts),
    environment: unlessEmpty(parts.environment),
    labels: unlessEmpty(same.labels),
    networks: unlessEmpty(same.networks),
    healthcheck: unlessEmpty(same.healthcheck),
    logging: unlessEmpty(
      definedOnly<Logging>({ driver: same.logging?.driver, options: same.logging?.options }),
    ),
    ports: unlessEmpty(ports?.flat()),
    volumes: unlessEmpty(mounts.map((mount) => normaliseMount(mount, parts.folders))),
    tmpfs: unlessEmpty(Object.fromEntries(inMemory)),
    cpus: same.cpus ?? limits?.cpus,
    mem_limit: same.mem_limit ?? limits?.memory,
    pids_limit: same.pids_limit ?? limits?.pids,
    cpu_reservation: reservations?.cpus,
    mem_reservation: same.mem_reservation ?? reservations?.memory,
    dns: unlessEmpty(same.dns),
    dns_search: unlessEmpty(same.dns_search),
    dns_opt: unlessEmpty(same.dns_opt),
    extra_hosts: unlessEmpty(same.extra_hosts),
    devices: unlessEmpty(mappedDevices(same.devices)),
    device_requests: unlessEmpty(requests),
  });
}

/** What a worker may do. No and nothing said are the same, and the order of names makes no difference. */
function normaliseRights(draft: TemplateDraft, { profiles }: TemplateParts) {
  const { privileged, read_only, oom_score_adj, security_opt, sysctls, ulimits } = draft;
  return {
    privileged: privileged || undefined,
    read_only: read_only || undefined,
    oom_score_adj: oom_score_adj || undefined,
    cap_add: inOrder(draft.cap_add),
    cap_drop: inOrder(draft.cap_drop),
    group_add: inOrder(draft.group_add),
    security_opt: inOrder(security_opt?.map((option) => profiles.get(option) ?? option)),
    sysctls: unlessEmpty(sysctls),
    ulimits: unlessEmpty(ulimits),
  } satisfies Partial<Record<keyof Template, unknown>>;
}

function inOrder(names: readonly string[] | null | undefined): readonly string[] | undefined {
  return unlessEmpty([...new Set(names)].sort());
}

function mappedDevices(
  devices: readonly DeviceDraft[] | null | undefined,
): readonly DeviceMapping[] {
  return (devices ?? []).flatMap((device) => ("named" in device ? [] : [device]));
}

/** The engine takes devices with qualified names as one request. */
function namedDevices(
  devices: readonly DeviceDraft[] | null | undefined,
): readonly DeviceRequest[] {
  const names = (devices ?? []).flatMap((device) => ("named" in device ? [device.named] : []));
  return names.length === 0 ? [] : [{ driver: "cdi", device_ids: names, capabilities: [] }];
}

function normaliseMount(mount: MountDraft, folders: Folders): Mount {
  if (mount.type === "volume" || mount.source === undefined) return mount;
  return { ...mount, source: absolute(mount.source, folders) };
}

/** An absolute path without a slash at its end. */
export function absolute(path: string, { folder, home }: Folders): string {
  if (path === "~" || path.startsWith("~/")) return join(home(), path.slice(1));
  const full = isAbsolute(path) ? normalize(path) : resolve(folder, path);
  return full.length > 1 ? full.replace(/\/$/, "") : full;
}
