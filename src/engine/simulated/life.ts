// What workers do by themselves: when they end, whether they are healthy, and what they make of a stop signal.

import type { Life } from "./script.ts";
import type { Container, Exit, World } from "./world.ts";

/** Nothing ends in the very moment it is asked to. */
const SHORTEST_STOP_MS = 10;

/** The life of this run of a container's process. */
export function lifeOf(world: World, container: Container): Life {
  const { starts } = container;
  return (
    world.lives.find((life) => starts <= (life.starts ?? starts) && matches(life, container)) ?? {}
  );
}

function matches({ match = {} }: Life, { template, labels, name }: Container): boolean {
  const { image, command, label } = match;
  const words = [...(template.entrypoint ?? []), ...(template.command ?? [])].join(" ");
  if (image !== undefined && image !== template.image) return false;
  if (command !== undefined && !words.includes(command)) return false;
  if (label !== undefined && !hasLabel(labels, label)) return false;
  return name.startsWith(match.name ?? "");
}

function hasLabel(labels: Readonly<Record<string, string>>, wanted: string): boolean {
  const [key = "", ...value] = wanted.split("=");
  return value.length === 0 ? key in labels : labels[key] === value.join("=");
}

/** How a process that starts at that time will end by itself; undefined: it will not. */
export function plannedExit({ end }: Life, startedAt: number): Exit | undefined {
  if (end === undefined) return undefined;
  const outOfMemory = end.outOfMemory ?? false;
  return {
    at: startedAt + end.after * 1000,
    code: outOfMemory ? 137 : (end.code ?? 0),
    outOfMemory,
  };
}

/** How a process ends that is asked to at that time; undefined: it goes on. */
export function exitWhenAsked({ stop = {} }: Life, now: number): Exit | undefined {
  if (stop === "ignore") return undefined;
  const wait = Math.max((stop.after ?? 0) * 1000, SHORTEST_STOP_MS);
  return { at: now + wait, code: stop.code ?? 0, outOfMemory: false };
}

/** The exit that comes first. */
export function sooner(one: Exit | undefined, other: Exit | undefined): Exit | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.at < one.at ? other : one;
}

/** Whether a probe would pass that many milliseconds after the start. */
export function isHealthy({ healthy = {} }: Life, age: number): boolean {
  if (healthy === "never") return false;
  const { from = 0, until = Number.POSITIVE_INFINITY } = healthy;
  return age >= from * 1000 && age < until * 1000;
}
