// What a host has only so much of: published ports, and whatever a scripted capacity says.

import type { PortMapping } from "../../core/template.ts";
import { limitsOf } from "./limits.ts";
import { type Container, containersOf, type World } from "./world.ts";

/** Why a container finds no room on the host; undefined: it does. */
export function lackOfRoom(world: World, container: Container): string | undefined {
  const others = containersOf(world).filter((each) => each !== container && holdsRoom(each));
  return takenPort(container, others) ?? lackOfCapacity(world, [...others, container]);
}

/** While it waits for its next restart a container holds nothing. */
function holdsRoom({ state }: Container): boolean {
  return state.kind === "running" || state.kind === "paused";
}

function takenPort(container: Container, others: readonly Container[]): string | undefined {
  const held = others.flatMap(publishedPorts);
  const clash = publishedPorts(container).find((port) => held.some((each) => clashes(port, each)));
  return (
    clash &&
    `bind for ${clash.host_ip ?? "0.0.0.0"}:${clash.published} failed: port is already allocated`
  );
}

// A port the engine may pick, alone or from a range, is taken to be always there.
function publishedPorts({ template }: Container): readonly PortMapping[] {
  return (template.ports ?? []).filter(({ published = "" }) => /^\d+$/.test(published));
}

function clashes(one: PortMapping, other: PortMapping): boolean {
  if (one.published !== other.published || one.protocol !== other.protocol) return false;
  return isEverywhere(one) || isEverywhere(other) || one.host_ip === other.host_ip;
}

function isEverywhere({ host_ip: address = "" }: PortMapping): boolean {
  return address === "" || address === "0.0.0.0" || address === "::";
}

function lackOfCapacity({ capacity }: World, running: readonly Container[]): string | undefined {
  const { workers, cpus, memory } = capacity;
  if (workers !== undefined && running.length > workers) return "the host has no room left";
  const sum = (field: "cpus" | "memory") =>
    running.reduce((total, each) => total + (limitsOf(each)[field] ?? 0), 0);
  if (cpus !== undefined && sum("cpus") > cpus) return "the host has no CPU left";
  if (memory !== undefined && sum("memory") > memory) return "the host has no memory left";
  return undefined;
}
