// The engine's own history of a test's containers: the order of things to the nanosecond, signals, exit codes.

import { callApi } from "../../scripts/lib/docker-api.mjs";
import { engineTime, testHost } from "../support/engine.ts";

export type ContainerEvent = {
  readonly action: string;
  readonly id: string;
  /** Of that moment: it holds the phase of leaving. */
  readonly name: string;
  readonly slot: number;
  /** Milliseconds since 1970 by the engine's clock. */
  readonly at: number;
  /** Of a `kill`. */
  readonly signal: number | undefined;
  /** Of a `die`. */
  readonly exitCode: number | undefined;
};

type WireEvent = {
  Action: string;
  timeNano: number;
  Actor: { ID: string; Attributes: Record<string, string> };
};

/** Everything that happened since then to containers with the label, health checks included. */
export async function containerEvents(
  since: string,
  label: string,
): Promise<readonly ContainerEvent[]> {
  const filters = encodeURIComponent(JSON.stringify({ type: ["container"], label: [label] }));
  const until = await engineTime();
  const path = `/events?since=${since}&until=${until}&filters=${filters}`;
  const { text } = await callApi(testHost(), "GET", path);
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => toEvent(JSON.parse(line)));
}

function toEvent({ Action: action, Actor: { ID: id, Attributes: facts }, timeNano }: WireEvent) {
  return {
    action,
    id,
    name: facts["name"] ?? "",
    slot: Number(facts["dev.wgctl.slot"]),
    at: timeNano / 1e6,
    signal: numberIn(facts["signal"]),
    exitCode: numberIn(facts["exitCode"]),
  };
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** The events of these kinds as `action slot`, `kill` with its signal and `die` with its exit code. */
export function eventLines(
  events: readonly ContainerEvent[],
  actions: readonly string[],
): readonly string[] {
  return events
    .filter(({ action }) => actions.includes(action))
    .map(({ action, slot, signal, exitCode }) =>
      [action, slot, signal ?? exitCode].filter((part) => part !== undefined).join(" "),
    );
}
