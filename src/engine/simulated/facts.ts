// What an observer is told of a container, and of the clock.

import type { NameHolder, RunFacts, WorkerFacts } from "../../core/observed.ts";
import { limitsOf } from "./limits.ts";
import type { Container, ContainerState } from "./world.ts";

/** The facts of a container, independent of what becomes of it. */
export function factsOf(container: Container): WorkerFacts {
  const { id, name, labels, imageId, createdAt, restartCount, restartPolicy } = container;
  const timeout = container.template.stop_grace_period;
  return {
    id,
    name,
    labels,
    imageId,
    createdAt,
    run: runFacts(container.state, container),
    restartCount,
    restartPolicy,
    limits: limitsOf(container),
    networks: [...container.networks].sort(),
    ...hostPortsOf(container),
    ...(container.stopSignal === undefined ? {} : { stopSignal: container.stopSignal }),
    ...(timeout === undefined ? {} : { stopTimeout: Math.ceil(timeout) }),
  };
}

/** A container that does not run has none, and here none is picked for it. */
function hostPortsOf({ state, template }: Container): Pick<WorkerFacts, "hostPorts"> {
  const published = (template.ports ?? []).map((port) => Number(port.published));
  const hostPorts = [...new Set(published.filter(Number.isInteger))].sort((a, b) => a - b);
  return state.kind === "running" && hostPorts.length > 0 ? { hostPorts } : {};
}

function runFacts(state: ContainerState, container: Container): RunFacts {
  switch (state.kind) {
    case "running":
      return { kind: "running", startedAt: state.startedAt, ...healthOf(container) };
    case "paused":
      return { kind: "paused", startedAt: state.running.startedAt };
    case "restarting":
      return {
        kind: "restarting",
        startedAt: state.last.startedAt,
        exitCode: state.last.exitCode,
      };
    case "created":
    case "exited":
      return { ...state };
    case "removing":
    case "dead":
      return { kind: state.kind };
  }
}

function healthOf({ health, check }: Container): Pick<RunFacts & { kind: "running" }, "health"> {
  if (health === undefined || check === undefined) return {};
  return { health: { status: health.status, retries: check.retries, log: health.log } };
}

/** Who holds a name, as a conflict is explained. */
export function holderOf({ id, labels }: Container): NameHolder {
  return { id, labels };
}
