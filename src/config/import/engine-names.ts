// Names of networks and volumes in a compose file -> the engine's names for them. Compose puts its project's before
// those that it makes itself.

import type { Service } from "./compose-file.ts";
import { type Context, type Drafting, listed, note, refuse } from "./draft.ts";
import { isPath, mapField } from "./paths.ts";
import { splitOutside } from "./texts.ts";
import { fieldsOf, listFrom, mapFrom, namesIn, textFrom, textOf, type Value } from "./value.ts";

type Kind = "networks" | "volumes";

/** The engine's name as it is written in the file, variables and all. */
function engineName(kind: Kind, name: string, { file, project }: Context): string {
  const declared = fieldsOf(fieldsOf(file.fields.get(kind)).get(name));
  const external = declared.get("external");
  const given = textOf(declared.get("name")) ?? textOf(fieldsOf(external).get("name"));
  if (given !== undefined) return given;
  const isOutside = external !== undefined && textOf(external) !== "false";
  return isOutside ? name : `${project}_${name}`;
}

/** The networks of a service that has no network_mode; without any it is on its project's own. */
export function takeNetworks(value: Value | undefined, drafting: Drafting): void {
  const { service, context, template } = drafting;
  const origin = value?.origin ?? service.origin;
  const named = namesIn(value);
  const networks = (named.length === 0 ? ["default"] : named).flatMap((name) => {
    const written = engineName("networks", name, context);
    const filled = context.fill(written);
    if (filled === undefined) refuseName(drafting, origin, name, written);
    return filled === undefined
      ? []
      : [[filled, addAlias(fieldsOf(value).get(name), service)] as const];
  });
  template.set("networks", mapFrom(origin, networks));
  const which = named.length === 0 ? "Compose's default network" : "by the engine's names";
  const text = `${which}; the alias is the service's name there`;
  note(drafting, "networks", text, ["spec", "template", "networks"]);
}

function refuseName(drafting: Drafting, origin: Value["origin"], name: string, written: string) {
  const hint = "set its variables in .env beside the compose file, or give them a default";
  refuse(
    drafting,
    "networks",
    origin,
    `the network ${name} is named ${written}, which has no value`,
    hint,
  );
}

/** Compose gives every container its service's name on each network. */
function addAlias(network: Value | undefined, { name, origin }: Service): Value {
  const from = network?.origin ?? origin;
  const fields = fieldsOf(network);
  const aliases = [textFrom(from, name), ...itemsWithout(fields.get("aliases"), name)];
  return mapFrom(from, [...fields, ["aliases", listFrom(from, aliases, true)]], true);
}

function itemsWithout(list: Value | undefined, text: string): readonly Value[] {
  return list?.kind === "list" ? list.items.filter((item) => textOf(item) !== text) : [];
}

/** The same networks without the alias that a service has by its name. */
export function withoutAlias(networks: Value, service: string): Value {
  if (networks.kind !== "map") return networks;
  const entries = [...networks.entries].map(([name, network]): readonly [string, Value] => {
    const fields = new Map(fieldsOf(network));
    const aliases = itemsWithout(fields.get("aliases"), service);
    if (aliases.length === 0) fields.delete("aliases");
    else fields.set("aliases", listFrom(network.origin, aliases, true));
    return [name, mapFrom(network.origin, fields, true)];
  });
  return mapFrom(networks.origin, entries);
}

/** Mounts with the engine's names of their volumes. */
export function takeVolumes(value: Value, drafting: Drafting): void {
  const { context, template } = drafting;
  const rename = (name: string) => {
    const { fields } = context.file;
    const isKnown = fields.has("include") || fieldsOf(fields.get("volumes")).has(name);
    if (!isKnown && !name.includes("$")) refuseVolume(drafting, value, name);
    return engineName("volumes", name, context);
  };
  const items = value.kind === "list" ? value.items : [];
  const renamed = items.map((item) => renameMount(item, rename));
  template.set("volumes", value.kind === "list" ? { ...value, items: renamed } : value);
  const changes = items.flatMap((item, index) => changedName(item, renamed[index]));
  if (changes.length > 0)
    note(drafting, "volumes", `on the engine ${listed([...new Set(changes)])}`, [
      "spec",
      "template",
      "volumes",
    ]);
}

function refuseVolume(drafting: Drafting, value: Value, name: string): void {
  const hint = `a folder on the host begins with ./ or /: ./${name}`;
  const message = `there is no volume ${JSON.stringify(name)} among the volumes of this file`;
  refuse(drafting, "volumes", value.origin, message, hint);
}

function renameMount(item: Value, rename: (name: string) => string): Value {
  if (item.kind === "text") {
    const [source = "", ...rest] = splitOutside(item.text, ":");
    if (rest.length === 0 || source === "" || isPath(source)) return item;
    return { ...item, text: [rename(source), ...rest].join(":") };
  }
  return textOf(fieldsOf(item).get("type")) === "volume" ? mapField(item, "source", rename) : item;
}

function changedName(before: Value, after: Value | undefined): readonly string[] {
  const [was, is] = [sourceOf(before), sourceOf(after)];
  return is === undefined || is === was ? [] : [`${was} is ${is}`];
}

function sourceOf(mount: Value | undefined): string | undefined {
  const short = textOf(mount);
  return short === undefined ? textOf(fieldsOf(mount).get("source")) : splitOutside(short, ":")[0];
}
