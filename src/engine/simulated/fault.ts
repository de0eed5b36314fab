// Scripted faults: what goes wrong with which call. Finding the one that is meant uses it up.

import type { CallName, Fault, FaultEffect } from "./script.ts";
import type { World } from "./world.ts";

/** The fault that a call about these subjects runs into, used up by one; undefined: it goes well. */
export function takeFault(
  world: World,
  call: CallName,
  subjects: readonly string[],
): FaultEffect | undefined {
  const fault = world.faults.find((each) => isMeant(each, call, subjects));
  if (fault === undefined) return undefined;
  if ((fault.skip ?? 0) > 0) {
    fault.skip = (fault.skip ?? 0) - 1;
    return undefined;
  }
  useUp(world, fault);
  return fault.effect;
}

function isMeant({ call, on, times }: Fault, name: CallName, subjects: readonly string[]): boolean {
  if (times === 0 || (call !== "any" && call !== name)) return false;
  return on === undefined || subjects.some((subject) => subject.startsWith(on));
}

function useUp(world: World, fault: Fault): void {
  if (fault.times === "always") return;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times === 0) world.faults.splice(world.faults.indexOf(fault), 1);
}
