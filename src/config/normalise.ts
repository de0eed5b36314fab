// A checked spec -> GroupSpec: defaults of the envelope, one form of limits, absolute paths. Decides nothing.

import { isAbsolute, join, normalize, resolve } from "node:path";
import type {
  DrainPolicy,
  ExitPolicy,
  GroupSpec,
  Logging,
  Mount,
  Quiet,
  RolloutPolicy,
  Template,
} from "../core/model.ts";
import { definedOnly } from "./defined.ts";
import type { MountDraft } from "./forms/volumes.ts";
import type { SpecDraft } from "./schema/spec-fields.ts";
import type { TemplateDraft } from "./schema/template.ts";

/** How long a worker may take to be drained, where nothing is said. */
const DRAIN_SECONDS = 900;

export type Folders = {
  /** Absolute folder of the manifest, which relative paths begin at. */
  readonly folder: string;
  /** What `~` stands for. */
  readonly home: () => string;
};

/** `environment` is the joined one, of files and of the template; secrets and configs come later, with their contents. */
export function normaliseSpec(
  draft: SpecDraft,
  environment: Readonly<Record<string, string>>,
  folders: Folders,
): GroupSpec {
  return definedOnly<GroupSpec>({
    replicas: draft.replicas,
    template: normaliseTemplate(draft.template, environment, folders),
    pullPolicy: draft.template.pull_policy ?? "missing",
    rollout: normaliseRollout(draft.rollout ?? {}),
    drain: normaliseDrain(draft.drain ?? {}),
    onExit: unlessEmpty(definedOnly<ExitPolicy>({ ...draft.onExit })),
    onUnhealthy: draft.onUnhealthy ?? "Replace",
    restartNonce: draft.restartNonce ?? "",
    suspend: draft.suspend ?? false,
  });
}

function normaliseRollout(draft: NonNullable<SpecDraft["rollout"]>): RolloutPolicy {
  return {
    strategy: draft.strategy ?? "RollingUpdate",
    maxUnavailable: draft.maxUnavailable ?? { kind: "count", count: 1 },
    maxSurge: draft.maxSurge ?? { kind: "count", count: 0 },
    minReadySeconds: draft.minReadySeconds ?? 5,
    healthyDeadlineSeconds: draft.healthyDeadlineSeconds ?? 300,
    progressDeadlineSeconds: draft.progressDeadlineSeconds ?? 600,
    onFailure: draft.onFailure ?? "Pause",
    paused: draft.paused ?? false,
  };
}

function normaliseDrain(draft: NonNullable<SpecDraft["drain"]>): DrainPolicy | undefined {
  const { quiet, waitFor, idle } = draft;
  return unlessEmpty(
    definedOnly<DrainPolicy>({
      quiet: quiet && normaliseQuiet(quiet),
      waitFor: waitFor && {
        exec: waitFor.exec,
        timeoutSeconds: waitFor.timeoutSeconds ?? DRAIN_SECONDS,
      },
      idle: idle && { exec: idle.exec },
    }),
  );
}

type QuietDraft = NonNullable<NonNullable<SpecDraft["drain"]>["quiet"]>;

/** Exactly one of the two is set. */
function normaliseQuiet({ signal, exec }: QuietDraft): Quiet {
  return signal ? { kind: "signal", signal } : { kind: "exec", exec: exec ?? [] };
}

function normaliseTemplate(
  draft: TemplateDraft,
  environment: Readonly<Record<string, string>>,
  folders: Folders,
): Template {
  const { pull_policy: _, env_file: __, secrets: ___, configs: ____, ...rest } = draft;
  const { deploy, ports, volumes, tmpfs, ...same } = rest;
  const { limits, reservations } = deploy?.resources ?? {};
  const mounts = (volumes ?? []).flatMap((mount) => (mount.type === "tmpfs" ? [] : [mount]));
  const inMemory = [...(volumes ?? []), ...(tmpfs ?? [])].flatMap((mount) =>
    mount.type === "tmpfs" ? [[mount.target, mount.options] as const] : [],
  );
  return definedOnly<Template>({
    ...same,
    environment: unlessEmpty(environment),
    labels: unlessEmpty(same.labels),
    networks: unlessEmpty(same.networks),
    healthcheck: unlessEmpty(same.healthcheck),
    logging: unlessEmpty(
      definedOnly<Logging>({ driver: same.logging?.driver, options: same.logging?.options }),
    ),
    ports: unlessEmpty(ports?.flat()),
    volumes: unlessEmpty(mounts.map((mount) => normaliseMount(mount, folders))),
    tmpfs: unlessEmpty(Object.fromEntries(inMemory)),
    cpus: same.cpus ?? limits?.cpus,
    mem_limit: same.mem_limit ?? limits?.memory,
    pids_limit: same.pids_limit ?? limits?.pids,
    cpu_reservation: reservations?.cpus,
    mem_reservation: same.mem_reservation ?? reservations?.memory,
  });
}

function unlessEmpty<T extends object>(value: T | null | undefined): T | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
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
