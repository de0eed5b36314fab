// What is changed so that a group can be more than one worker, and lives without Compose: seen across the fields of a
// service, once all of them are taken.

import { interpolate } from "../interpolation.ts";
import { takeUpdateConfig } from "./deploy.ts";
import { type Drafting, inNumber, listed, note, refuse } from "./draft.ts";
import { isSettled, splitOutside } from "./texts.ts";
import { fieldsOf, itemsOf, mapFrom, namesIn, textFrom, textOf, type Value } from "./value.ts";

const PORTS = ["spec", "template", "ports"];
const SLOT = "{{.Task.Slot}}";

export function applyRules(drafting: Drafting): void {
  keepPortsApart(drafting);
  keepHostnamesApart(drafting);
  recreateAfterJobs(drafting);
  takeUpdateConfig(drafting, publishes(drafting) || drafting.template.has("hostname"));
  noteDependencies(drafting);
  noteGrace(drafting);
}

/** What a number comes to by its defaults is more than one, or not known. */
function mayBeMany(value: Value): boolean {
  const text = textOf(value) ?? "1";
  return !isSettled(text) || Number(interpolate(text, () => undefined).text) > 1;
}

function portsOf({ template }: Drafting): readonly Value[] {
  const ports = template.get("ports");
  return ports?.kind === "list" ? ports.items : [];
}

function publishes(drafting: Drafting): boolean {
  return portsOf(drafting).some((port) => publishedPort(port) !== undefined);
}

/** The host port of a mapping of either form. */
export function publishedPort(port: Value): string | undefined {
  const short = textOf(port);
  if (short === undefined) return textOf(fieldsOf(port).get("published"));
  const parts = splitOutside(short, ":");
  return parts.length < 2 ? undefined : parts.at(-2) || undefined;
}

function isFixed(port: Value): boolean {
  const published = publishedPort(port);
  const target = splitOutside(textOf(port) ?? "", ":").at(-1) ?? "";
  return published !== undefined && (!published.includes("-") || target.includes("-"));
}

function keepPortsApart(drafting: Drafting): void {
  const fixed = portsOf(drafting).filter(isFixed);
  if (fixed.length === 0) return;
  const ports = fixed.flatMap((port) => publishedPort(port) ?? []);
  const which = inNumber(
    ports.length,
    `host port ${ports.join()} is`,
    `host ports ${listed(ports)} are`,
  );
  const more = `${which} one worker's: to have more, leave it out or give each slot its own, as in 5200-5209:5000`;
  note(drafting, "ports", more, PORTS);
  if (!mayBeMany(drafting.replicas)) return;
  const written = textOf(drafting.replicas);
  drafting.replicas = textFrom(drafting.replicas.origin, "1");
  note(drafting, "replicas", `${written} before; the host port allows one`, ["spec", "replicas"]);
}

function keepHostnamesApart(drafting: Drafting): void {
  const hostname = drafting.template.get("hostname");
  if (hostname?.kind !== "text" || !mayBeMany(drafting.replicas)) return;
  if (/\{\{\s*\.Task\./.test(hostname.text)) return;
  drafting.template.set("hostname", {
    ...hostname,
    text: `${hostname.text}-${SLOT}`,
    style: "double",
  });
  note(drafting, "hostname", "with the slot, so that no two workers have one", [
    "spec",
    "template",
    "hostname",
  ]);
}

const SWITCHES = /--(ephemeral|once|disconnect-after-job)\b|\brun-single\b/;
const NO = ["", "0", "false", "no"];

/** A worker that serves one job and ends wants to begin anew, and not in the files of the job before. */
function recreateAfterJobs(drafting: Drafting): void {
  const { template, rest } = drafting;
  const restart = template.get("restart");
  if (restart?.kind !== "text" || !["always", "unless-stopped"].includes(restart.text)) return;
  const sign = oneJobSign(template);
  if (sign === undefined) return;
  template.delete("restart");
  const exits = ["success", "failure"].map(
    (end) => [end, textFrom(restart.origin, "Recreate")] as const,
  );
  rest.set("onExit", mapFrom(restart.origin, exits, true));
  const text = `in place of restart: ${restart.text}, for ${sign} says that a worker ends after one job: each begins in a new container`;
  note(drafting, "onExit", text, ["spec", "onExit"]);
}

function oneJobSign(template: ReadonlyMap<string, Value>): string | undefined {
  const isSet = ([name, value]: readonly [string, string | undefined]) =>
    /(^|_)EPHEMERAL$/i.test(name) && value !== undefined && !NO.includes(value.toLowerCase());
  const variable = environmentOf(template.get("environment")).find(isSet);
  if (variable !== undefined) return variable[0];
  const words = ["entrypoint", "command"].flatMap((name) => itemsOf(template.get(name)));
  return SWITCHES.exec(words.map((word) => textOf(word) ?? "").join(" "))?.[0];
}

/** Names and texts of an environment of either form; undefined: without a value. */
export function environmentOf(
  value: Value | undefined,
): readonly (readonly [name: string, text: string | undefined])[] {
  if (value?.kind === "map")
    return [...value.entries].map(([name, entry]) => [name, textOf(entry)] as const);
  return itemsOf(value).map((item) => {
    const [name = "", ...rest] = (textOf(item) ?? "").split("=");
    return [name, rest.length === 0 ? undefined : rest.join("=")] as const;
  });
}

const COMPLETED = "service_completed_successfully";

function noteDependencies(drafting: Drafting): void {
  const needs = drafting.service.fields.get("depends_on");
  const condition = (name: string) => textOf(fieldsOf(fieldsOf(needs).get(name)).get("condition"));
  const names = namesIn(needs);
  const once = names.filter((name) => condition(name) === COMPLETED);
  const others = names.filter((name) => !once.includes(name));
  if (others.length > 0)
    note(
      drafting,
      "depends_on",
      `left out; the worker itself has to wait for ${listed(others)}, or try again`,
    );
  if (once.length > 0)
    note(
      drafting,
      "depends_on",
      `left out; ${listed(once)} must have run before: docker compose run --rm ${once[0]}`,
    );
}

/** The engine's default cuts off what takes longer than ten seconds. */
function noteGrace(drafting: Drafting): void {
  const signal = textOf(drafting.template.get("stop_signal"));
  if (drafting.template.has("stop_grace_period") || signal === "SIGKILL") return;
  const after = signal === undefined ? "" : ` after ${signal}`;
  const text = `not set; a job that takes longer than 10s${after} is cut off`;
  note(drafting, "stop_grace_period", text, ["spec", "template"]);
}

/** `links` under another name, and networks of other containers, cannot be had. */
export function refuseUnreachable(drafting: Drafting): void {
  const { fields } = drafting.service;
  for (const link of itemsOf(fields.get("links"))) {
    const [name = "", alias = name] = (textOf(link) ?? "").split(":");
    const hint = `give ${name} the alias ${alias} on its network, and take the link out`;
    if (alias !== name)
      refuse(drafting, "links", link.origin, `the link to ${name} calls it ${alias}`, hint);
  }
  const mode = fields.get("network_mode");
  if (mode !== undefined && textOf(mode)?.startsWith("service:"))
    refuse(
      drafting,
      "network_mode",
      mode.origin,
      `network_mode ${textOf(mode)} is the network of one other container`,
      "put both on one network",
    );
}
