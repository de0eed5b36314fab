// Mounts of a template as the engine takes them: the short form, `source:target:options`, or the long one. Pure.
// What neither form can say is refused, never left out.

import { WgctlError } from "../../core/errors.ts";
import type { FileMount, Mount, Template } from "../../core/template.ts";
import type { Fields } from "./ordered.ts";

/** The minor number of the API that is spoken, and what is refused where it cannot do a thing: "cannot ...". */
export type Api = { readonly version: number; readonly what: string };

/** First API version whose long form can make the folder of a bind. */
const MAKES_FOLDERS = 42;
/** First API version that mounts a folder of a volume. */
const SUBPATHS = 45;

/** The `Binds` and `Mounts` of a creation. Throws `engine-rejected` for what this engine cannot be asked. */
export function encodeMounts(template: Template, api: Api): Fields {
  const { volumes = [], secrets = [], configs = [] } = template;
  for (const mount of volumes) requireWords(mount, api);
  return {
    Binds: volumes.filter(fitsBind).map(encodeBind),
    Mounts: [
      ...volumes.filter((mount) => !fitsBind(mount)).map((mount) => encodeMount(mount, api)),
      ...[...secrets, ...configs].map(encodeFile),
    ],
  };
}

// The short form, where it can say it all, as Compose does: it makes a folder that is missing on the host, which the
// long form does only if told to, and cannot be told everywhere, and it relabels. But it has no way to write a colon.
function fitsBind(mount: Mount): boolean {
  if (mount.source === undefined || mount.create_host_path === false) return false;
  return mount.subpath === undefined && !hasColon(mount);
}

function hasColon({ source = "", target }: Mount): boolean {
  return `${source}${target}`.includes(":");
}

// A volume without a word is relabelled for SELinux; Compose gives it one.
function encodeBind(mount: Mount): string {
  const { type, source, target, read_only, selinux, propagation, nocopy } = mount;
  const options = [
    ...(read_only ? ["ro"] : type === "volume" ? ["rw"] : []),
    ...(selinux ? [selinux] : []),
    ...(propagation ? [propagation] : []),
    ...(nocopy ? ["nocopy"] : []),
  ];
  return [`${source}:${target}`, ...(options.length > 0 ? [options.join(",")] : [])].join(":");
}

// Without a source the engine makes an anonymous volume, which goes when the container is removed.
function encodeMount(mount: Mount, api: Api): Fields {
  return {
    Type: mount.type,
    Source: mount.source,
    Target: mount.target,
    ReadOnly: mount.read_only,
    BindOptions: mount.type === "bind" ? encodeBindOptions(mount, api) : undefined,
    VolumeOptions: encodeVolumeOptions(mount),
  };
}

function encodeBindOptions(mount: Mount, { version }: Api): Fields | undefined {
  const makesFolder = mount.create_host_path !== false && version >= MAKES_FOLDERS;
  if (mount.propagation === undefined && !makesFolder) return undefined;
  return { Propagation: mount.propagation, CreateMountpoint: makesFolder ? true : undefined };
}

function encodeVolumeOptions({ nocopy, subpath }: Mount): Fields | undefined {
  if (nocopy === undefined && subpath === undefined) return undefined;
  return { NoCopy: nocopy, Subpath: subpath };
}

/** A file that is missing must fail the create: in its place the engine would make a folder. */
function encodeFile({ file, target }: FileMount): Fields {
  return { Type: "bind", Source: file, Target: target, ReadOnly: true };
}

function requireWords(mount: Mount, { version, what }: Api): void {
  if (mount.subpath !== undefined && version < SUBPATHS) {
    throw new WgctlError(
      "engine-rejected",
      `cannot ${what}: the engine cannot mount ${mount.subpath}, a folder of a volume`,
      { hint: `it speaks API 1.${version}, and that needs 1.${SUBPATHS}: Docker 26 or newer` },
    );
  }
  if (mount.selinux !== undefined && !fitsBind(mount)) {
    throw new WgctlError(
      "engine-rejected",
      `cannot ${what}: the engine cannot relabel the mount at ${mount.target} (selinux ${mount.selinux})`,
      {
        hint: "it relabels no anonymous volume, subpath or path with a colon, and no bind without create_host_path",
      },
    );
  }
}
