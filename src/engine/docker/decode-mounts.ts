// Mounts a container was asked for, whichever form they were asked in: the inverse of encode-mounts.ts. Pure.

import { definedOnly } from "../../core/defined.ts";
import type { Mount } from "../../core/template.ts";
import {
  at,
  readFlag,
  readItems,
  readKeys,
  readNumber,
  readOr,
  readText,
  readTexts,
  type Wire,
} from "./wire.ts";

const PROPAGATIONS = ["private", "rprivate", "shared", "rshared", "slave", "rslave"] as const;

/** Binds and volumes, by target; none that the image declares and nobody asked for. */
export function decodeMounts(container: Wire, image: Wire): readonly Mount[] {
  const host = at(container, "HostConfig");
  const asked = [
    ...readItems(at(host, "Binds")).map((bind) => decodeBind(readText(bind))),
    ...longForms(host).filter(isMounted).map(decodeMount),
  ];
  const known = new Set([
    ...asked.map(({ target }) => target),
    ...readKeys(at(host, "Tmpfs")),
    ...readKeys(at(image, "Config", "Volumes")),
  ]);
  const anonymous = readKeys(at(container, "Config", "Volumes"))
    .filter((target) => !known.has(target))
    .map((target): Mount => ({ type: "volume", target }));
  return [...asked, ...anonymous].sort((a, b) => (a.target < b.target ? -1 : 1));
}

/** Mount options by target. */
export function decodeTmpfs(host: Wire): Readonly<Record<string, string>> {
  const long = longForms(host).filter((mount) => typeOf(mount) === "tmpfs");
  return {
    ...readTexts(at(host, "Tmpfs")),
    ...Object.fromEntries(long.map((mount) => [targetOf(mount), tmpfsOptions(mount)])),
  };
}

function longForms(host: Wire): readonly Wire[] {
  return readItems(at(host, "Mounts"));
}

function typeOf(mount: Wire): string {
  return readText(at(mount, "Type"));
}

function targetOf(mount: Wire): string {
  return readText(at(mount, "Target"));
}

function isMounted(mount: Wire): boolean {
  return typeOf(mount) === "bind" || typeOf(mount) === "volume";
}

/** `source:target`, and after another colon options with commas. */
function decodeBind(bind: string): Mount {
  const [source = "", target = "", options = ""] = bind.split(":");
  const words = options.split(",");
  const has = (word: string) => (words.includes(word) ? true : undefined);
  return definedOnly<Mount>({
    type: source.startsWith("/") ? "bind" : "volume",
    source,
    target,
    read_only: has("ro"),
    selinux: (["z", "Z"] as const).find((word) => words.includes(word)),
    propagation: PROPAGATIONS.find((word) => words.includes(word)),
    nocopy: has("nocopy"),
  });
}

/** In this form a folder that is missing is made only where it is asked for. */
function decodeMount(mount: Wire): Mount {
  const isBind = typeOf(mount) === "bind";
  const propagation = readOr(at(mount, "BindOptions", "Propagation"), readText, "");
  const makesFolder = readFlag(at(mount, "BindOptions", "CreateMountpoint"));
  return definedOnly<Mount>({
    type: isBind ? "bind" : "volume",
    source: readOr(at(mount, "Source"), readText, "") || undefined,
    target: targetOf(mount),
    read_only: readFlag(at(mount, "ReadOnly")) || undefined,
    propagation: PROPAGATIONS.find((word) => word === propagation),
    create_host_path: isBind && !makesFolder ? false : undefined,
    nocopy: readFlag(at(mount, "VolumeOptions", "NoCopy")) || undefined,
    subpath: readOr(at(mount, "VolumeOptions", "Subpath"), readText, "") || undefined,
  });
}

function tmpfsOptions(mount: Wire): string {
  const size = readOr(at(mount, "TmpfsOptions", "SizeBytes"), readNumber, 0);
  const mode = readOr(at(mount, "TmpfsOptions", "Mode"), readNumber, 0);
  return [
    ...(readFlag(at(mount, "ReadOnly")) ? ["ro"] : []),
    ...(size > 0 ? [`size=${size}`] : []),
    ...(mode > 0 ? [`mode=${mode.toString(8)}`] : []),
  ].join(",");
}
