// What two items of a list have in common that cannot both be: of two mounts the target, of two ports the mapping.

import { posix } from "node:path";
import { splitOutside } from "./texts.ts";
import { fieldsOf, textOf, type Value } from "./value.ts";

type Identify = (item: Value) => string;

/** Every item once; a later one stands in the place of the first of its identity. */
export function lastOfEach(items: readonly Value[], field: string): readonly Value[] {
  if (REQUESTS.includes(field)) return items;
  const identify = IDENTITIES[field] ?? word;
  return [...new Map(items.map((item) => [identify(item), item])).values()];
}

/** Two that ask for the same are for twice of it. */
const REQUESTS = ["gpus", "deploy.resources.reservations.devices"];

const nameOf: Identify = (item) => word(item).split("=", 1).join();

/** By field; those of any other are the same where all of them is. */
const IDENTITIES: Readonly<Record<string, Identify>> = {
  environment: nameOf,
  labels: nameOf,
  annotations: nameOf,
  sysctls: nameOf,
  volumes: (item) => targetOf(item, 1),
  devices: (item) => targetOf(item, 1),
  tmpfs: (item) => targetOf(item, 0),
  secrets: (item) => fileTargetOf(item, "/run/secrets/"),
  configs: (item) => fileTargetOf(item, "/"),
  env_file: pathOf,
  label_file: pathOf,
  ports: portOf,
};

function targetOf(item: Value, part: number): string {
  const parts = splitOutside(textOf(item) ?? "", ":");
  const target = item.kind === "text" ? (parts[part] ?? parts[0]) : textIn(item, "target");
  return cleanPath(target || word(item));
}

/** A file that is mounted by its name alone is in the folder of its kind. */
function fileTargetOf(item: Value, folder: string): string {
  const source = textOf(item) ?? textIn(item, "source");
  return textIn(item, "target") ?? `${folder}${source}`;
}

/** As it is written: `./a.env` is read besides `a.env`. */
function pathOf(item: Value): string {
  return textOf(item) ?? textIn(item, "path") ?? word(item);
}

function cleanPath(path: string): string {
  return posix.join(path, ".").replace(/(?<=.)\/$/, "");
}

/** Host, host port, port and protocol, whether it is written short or long. */
function portOf(item: Value): string {
  if (item.kind === "map") {
    const mapping = [textIn(item, "host_ip"), textIn(item, "published"), textIn(item, "target")];
    return portWords(mapping, textIn(item, "protocol"));
  }
  const [ports = "", protocol] = splitOutside(word(item), "/");
  const parts = splitOutside(ports, ":");
  return portWords([parts.slice(0, -2).join(":"), parts.at(-2), parts.at(-1)], protocol);
}

function portWords(
  [host, published, target]: readonly (string | undefined)[],
  protocol: string | undefined,
): string {
  const address = host?.replace(/^\[(.*)\]$/, "$1");
  return [address || "0.0.0.0", published, target, protocol ?? "tcp"].join(" ");
}

function textIn(item: Value, field: string): string | undefined {
  return textOf(fieldsOf(item).get(field));
}

/** All of a value as one text. */
export function word(value: Value): string {
  if (value.kind === "text") return value.text;
  if (value.kind === "empty") return "";
  const inner = value.kind === "list" ? value.items.map(word) : [...value.entries].map(pairWords);
  return JSON.stringify(inner);
}

function pairWords([name, value]: readonly [string, Value]): readonly string[] {
  return [name, word(value)];
}
