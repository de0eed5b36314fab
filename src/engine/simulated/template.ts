// What a container was asked for, as far as an engine can still tell: without what its image gave, and what it forgot.

import { isReservedLabel } from "../../core/labels.ts";
import type { ResourceLimits } from "../../core/observed.ts";
import type { FileMount, Mount, Template } from "../../core/template.ts";
import { limitsOf } from "./limits.ts";
import type { Image } from "./script.ts";
import { signalName } from "./signal.ts";
import type { Container } from "./world.ts";

type Changes = { readonly [Key in keyof Template]?: Template[Key] | undefined };

/** The template of a container, with limits and restart policy as they are now. */
export function templateOf(container: Container, image: Image | undefined): Template {
  const { template } = container;
  const { cpus, memory, swap, pids }: ResourceLimits = limitsOf(container);
  return withChanges(template, {
    labels: ownLabels(container, image),
    volumes: mountsOf(template),
    restart: container.restartPolicy === "no" ? undefined : container.restartPolicy,
    cpus,
    mem_limit: memory,
    memswap_limit: swap,
    pids_limit: pids,
    stop_signal: ownSignal(container, image),
    secrets: undefined,
    configs: undefined,
    platform: undefined,
    cpu_reservation: undefined,
  });
}

/** What is undefined or empty is taken out. */
function withChanges(template: Template, changes: Changes): Template {
  const isSaid = (value: unknown) =>
    typeof value === "object" ? Object.keys(value ?? {}).length > 0 : value !== undefined;
  const members = Object.entries({ ...template, ...changes }).filter(([, value]) => isSaid(value));
  return { ...Object.fromEntries(members), image: template.image };
}

function ownLabels({ labels }: Container, image: Image | undefined) {
  const given = image?.labels ?? {};
  const own = Object.entries(labels).filter(
    ([key, value]) => given[key] !== value && !isReservedLabel(key),
  );
  return Object.fromEntries(own);
}

function ownSignal({ stopSignal }: Container, image: Image | undefined): string | undefined {
  const usual = "SIGTERM";
  const given = image?.stopSignal === undefined ? usual : signalName(image.stopSignal);
  return (stopSignal ?? usual) === given ? undefined : stopSignal;
}

/** Files of secrets and configs are mounts like any other. */
function mountsOf({ volumes = [], secrets = [], configs = [] }: Template): readonly Mount[] {
  const mounts = [...volumes, ...[...secrets, ...configs].map(fileMount)];
  return mounts.sort((a, b) => (a.target < b.target ? -1 : 1));
}

function fileMount({ file, target }: FileMount): Mount {
  return { type: "bind", source: file, target, read_only: true, create_host_path: false };
}
