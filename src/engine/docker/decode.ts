// From the engine's wire form to the core's facts. Pure; what makes no sense is `engine-failed`.

import type { RunFacts, WorkerFacts } from "../../core/observed.ts";
import { decodeHealth } from "./decode-health.ts";
import { nonsense } from "./failure.ts";
import { decodeLimits } from "./limits.ts";
import { signalName } from "./signals.ts";
import { readTime } from "./time.ts";
import {
  at,
  pathOf,
  readFlag,
  readItems,
  readKeys,
  readNumber,
  readOr,
  readText,
  readTexts,
  type Wire,
} from "./wire.ts";

/** What tells one container from another. */
export type ListedContainer = {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
};

// What a shell and the engine answer for a program that cannot be run (126), is not found (127), or a start that was refused (128).
const START_REFUSED = [126, 127, 128];

/** Decodes `GET /containers/json`. */
export function decodeList(list: Wire): readonly ListedContainer[] {
  // Anything but a list must not pass for "no workers".
  if (list.value === null) throw nonsense(`${pathOf(list)} is null, expected a list`);
  return readItems(list).map((line) => ({
    id: readText(at(line, "Id")),
    name: bareName(readItems(at(line, "Names")).map(readText)[0] ?? ""),
    labels: readTexts(at(line, "Labels")),
  }));
}

/** Decodes no more of `GET /containers/{id}/json` than whose it is: it may be anybody's, in any state. */
export function decodeHolder(container: Wire): ListedContainer {
  return {
    id: readText(at(container, "Id")),
    name: bareName(readText(at(container, "Name"))),
    labels: readTexts(at(container, "Config", "Labels")),
  };
}

/** Decodes `GET /containers/{id}/json`. */
export function decodeWorker(container: Wire): WorkerFacts {
  return {
    ...decodeHolder(container),
    imageId: readText(at(container, "Image")),
    createdAt: readTime(at(container, "Created")),
    run: decodeRun(container),
    restartCount: readOr(at(container, "RestartCount"), readNumber, 0),
    restartPolicy: decodeRestartPolicy(at(container, "HostConfig", "RestartPolicy")),
    limits: decodeLimits(at(container, "HostConfig")),
    networks: readKeys(at(container, "NetworkSettings", "Networks")),
    ...decodeHostPorts(at(container, "NetworkSettings", "Ports")),
    ...decodeStop(at(container, "Config")),
    ...(readOr(at(container, "HostConfig", "AutoRemove"), readFlag, false) && { autoRemove: true }),
  };
}

// The engine writes names with a leading slash.
function bareName(name: string): string {
  return name.replace(/^\//, "");
}

/** Of a range that was asked for, the one that was had. */
function decodeHostPorts(ports: Wire): Pick<WorkerFacts, "hostPorts"> {
  const bindings = readKeys(ports).flatMap((key) => readItems(at(ports, key)));
  if (bindings.length === 0) return {};
  const published = bindings.map((binding) => Number(readText(at(binding, "HostPort"))));
  return { hostPorts: [...new Set(published)].sort((one, other) => one - other) };
}

function decodeStop(config: Wire): Pick<WorkerFacts, "stopSignal" | "stopTimeout"> {
  const signal = readOr(at(config, "StopSignal"), readText, "");
  const timeout = readOr(at(config, "StopTimeout"), readNumber, undefined);
  return {
    ...(signal === "" ? {} : { stopSignal: signalName(signal) }),
    ...(timeout === undefined ? {} : { stopTimeout: timeout }),
  };
}

/** As Compose writes it. */
export function decodeRestartPolicy(policy: Wire): string {
  const name = readOr(at(policy, "Name"), readText, "") || "no";
  const retries = readOr(at(policy, "MaximumRetryCount"), readNumber, 0);
  return name === "on-failure" && retries > 0 ? `${name}:${retries}` : name;
}

function decodeRun(container: Wire): RunFacts {
  const state = at(container, "State");
  const status = at(state, "Status");
  const kind = readText(status);
  switch (kind) {
    case "created":
      return { kind, ...failedStart(state) };
    case "running":
      return { kind, startedAt: startOf(state), ...decodeHealth(container) };
    case "restarting":
      return { kind, startedAt: startOf(state), exitCode: readNumber(at(state, "ExitCode")) };
    case "paused":
      return { kind, startedAt: startOf(state) };
    case "exited":
      return decodeExited(state);
    case "removing":
    case "dead":
      return { kind };
    default:
      throw nonsense(`${pathOf(status)} is "${kind}", which is no state wgctl knows`);
  }
}

function decodeExited(state: Wire): RunFacts {
  return {
    kind: "exited",
    startedAt: startOf(state),
    finishedAt: readTime(at(state, "FinishedAt")),
    exitCode: readNumber(at(state, "ExitCode")),
    oomKilled: readFlag(at(state, "OOMKilled")),
    ...errorIn(errorText(state)),
  };
}

function errorIn(text: string): { readonly error?: string } {
  return text === "" ? {} : { error: text };
}

// Some refusals leave only the exit code behind.
function failedStart(state: Wire): { readonly error?: string; readonly exitCode?: number } {
  const text = errorText(state);
  const exitCode = readOr(at(state, "ExitCode"), readNumber, 0);
  if (text === "" && !START_REFUSED.includes(exitCode)) return {};
  const error = text === "" ? `the start was refused with exit code ${exitCode}` : text;
  return { error, ...(exitCode === 0 ? {} : { exitCode }) };
}

function errorText(state: Wire): string {
  return readOr(at(state, "Error"), readText, "");
}

function startOf(state: Wire): number {
  return readTime(at(state, "StartedAt"));
}
