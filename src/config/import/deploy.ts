// `deploy` and `scale` of a service -> replicas, restart, rollout, and the limits that stay where they are.

import { type Drafting, note, noteDropped, refuse } from "./draft.ts";
import { treatments } from "./treatments.ts";
import { type Fields, fieldsOf, mapFrom, textFrom, textOf, type Value } from "./value.ts";

const REPLICAS = ["spec", "replicas"];
const RESTART = ["spec", "template", "restart"];

/** How many workers there are to be; two different numbers are an error to Compose too. */
export function takeReplicas(field: "scale" | "deploy.replicas") {
  return (value: Value, drafting: Drafting): void => {
    const { fields } = drafting.service;
    const other =
      field === "scale" ? textOf(fieldsOf(fields.get("deploy")).get("replicas")) : undefined;
    if (other !== undefined && other !== textOf(value))
      refuse(
        drafting,
        "scale",
        value.origin,
        `scale says ${textOf(value)} and deploy.replicas ${other}`,
      );
    drafting.replicas = value;
    note(drafting, "replicas", `from ${field}`, REPLICAS);
  };
}

/** Every part of `deploy` where it belongs; what is unknown stays, for the schema to judge. */
export function takeDeploy(value: Value, drafting: Drafting): void {
  const stays = new Map<string, Value>();
  for (const [name, part] of fieldsOf(value)) {
    const take = PARTS[name];
    if (part.kind === "empty") continue;
    if (take !== undefined) take(part, drafting);
    else if (treatments[`deploy.${name}`]?.kind === "dropped")
      noteDropped(drafting, `deploy.${name}`);
    else stays.set(name, part);
  }
  if (value.kind !== "map") drafting.template.set("deploy", value);
  else if (stays.size > 0) drafting.template.set("deploy", { ...value, entries: stays });
}

const PARTS: Readonly<Record<string, (value: Value, drafting: Drafting) => void>> = {
  replicas: takeReplicas("deploy.replicas"),
  mode: takeMode,
  restart_policy: takeRestartPolicy,
  // Taken when ports and hostname are known.
  update_config: () => undefined,
};

function takeMode(value: Value, drafting: Drafting): void {
  const mode = textOf(value);
  if (mode === "replicated") return;
  if (mode === "global") {
    note(
      drafting,
      "deploy.mode",
      "global is one worker on each host, and there is one host",
      REPLICAS,
    );
    return;
  }
  const hint = "run what ends for good with docker compose run, or a Swarm job";
  refuse(
    drafting,
    "deploy.mode",
    value.origin,
    `a group of workers is no ${mode ?? "such thing"}`,
    hint,
  );
}

const CONDITIONS: Readonly<Record<string, string>> = {
  none: "no",
  "on-failure": "on-failure",
  any: "always",
};

/** Compose lets it win over `restart`. */
function takeRestartPolicy(value: Value, drafting: Drafting): void {
  const fields = fieldsOf(value);
  const condition = textOf(fields.get("condition")) ?? "any";
  const attempts = textOf(fields.get("max_attempts"));
  const restart = CONDITIONS[condition] ?? condition;
  const text = restart === "on-failure" && attempts ? `${restart}:${attempts}` : restart;
  drafting.template.set("restart", textFrom(value.origin, text));
  const lost = ["delay", "window"].filter((name) => fields.has(name));
  const without =
    lost.length === 0 ? "" : `, without ${lost.join(" and ")}: the engine waits as it does`;
  note(drafting, "restart", `from deploy.restart_policy${without}`, RESTART);
}

/** `update_config` as a rollout. `alone`: two workers of one slot cannot be at once. */
export function takeUpdateConfig(drafting: Drafting, alone: boolean): void {
  const value = fieldsOf(drafting.service.fields.get("deploy")).get("update_config");
  if (value?.kind !== "map") return;
  const fields = value.entries;
  const wantsSurge = textOf(fields.get("order")) === "start-first";
  const rollout = [...amounts(fields, wantsSurge && !alone), ...onFailure(fields)].map(
    ([name, text]) => [name, textFrom(value.origin, text)] as const,
  );
  if (rollout.length === 0) return;
  drafting.rest.set("rollout", mapFrom(value.origin, rollout));
  const text = `from deploy.update_config${withoutWords(fields, wantsSurge && alone)}`;
  note(drafting, "rollout", text, ["spec", "rollout"]);
}

type Setting = readonly [name: string, text: string];

function amounts(fields: Fields, surges: boolean): readonly Setting[] {
  const parallelism = textOf(fields.get("parallelism")) ?? "1";
  const amount = parallelism === "0" ? "100%" : parallelism;
  if (surges)
    return [
      ["maxUnavailable", "0"],
      ["maxSurge", amount],
    ];
  return amount === "1" ? [] : [["maxUnavailable", amount]];
}

function onFailure(fields: Fields): readonly Setting[] {
  return textOf(fields.get("failure_action")) === "rollback" ? [["onFailure", "Rollback"]] : [];
}

function withoutWords(fields: Fields, lostSurge: boolean): string {
  const lost = ["delay", "monitor", "max_failure_ratio"].filter((name) => fields.has(name));
  if (textOf(fields.get("failure_action")) === "continue") lost.push("failure_action: continue");
  if (lostSurge) lost.push("order: start-first, for ports and hostnames can be had once");
  return lost.length === 0 ? "" : `, without ${lost.join(", ")}`;
}
