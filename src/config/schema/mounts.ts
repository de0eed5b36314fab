// The schemas of volumes and tmpfs.

import * as z from "zod/mini";
import { readBoolean, readBytes } from "../forms/numbers.ts";
import { bad, good } from "../forms/reading.ts";
import {
  consistencies,
  type MountDraft,
  propagations,
  readMode,
  readMount,
  readSubpath,
  readTarget,
  readVolumeName,
} from "../forms/volumes.ts";
import { choice, fields, leaf, maybe, rule, text } from "./parts.ts";
import {
  bindStrangers,
  laterRecursions,
  laterTypes,
  mountStrangers,
  volumeOptionStrangers,
} from "./strangers.ts";

/** A file system in memory: where, and its mount options. */
export type TmpfsDraft = {
  readonly type: "tmpfs";
  readonly target: string;
  readonly options: string;
};

const flag = maybe(leaf(readBoolean, "boolean"));

const bindOptions = fields(
  {
    selinux: maybe(choice(["z", "Z"])),
    propagation: maybe(choice(propagations)),
    create_host_path: flag,
    recursive: maybe(choice(["enabled"], laterRecursions)),
  },
  bindStrangers,
);

const volumeOptions = fields(
  { nocopy: flag, subpath: maybe(leaf(readSubpath)) },
  volumeOptionStrangers,
);

const tmpfsOptions = fields({ size: maybe(leaf(readBytes)), mode: maybe(leaf(readMode)) });

const plainMount = fields(
  {
    type: choice(["bind", "volume", "tmpfs"], laterTypes),
    source: maybe(text(1)),
    target: leaf(readTarget),
    read_only: flag,
    consistency: maybe(choice(consistencies)),
    bind: maybe(bindOptions),
    volume: maybe(volumeOptions),
    tmpfs: maybe(tmpfsOptions),
  },
  mountStrangers,
);

type LongMount = z.output<typeof plainMount>;

const judgeMount = rule<LongMount>((mount, complain) => {
  const { type, source } = mount;
  if (type === "bind" && !source) complain([], "a bind mount needs a source");
  if (type === "tmpfs" && source)
    complain(["source"], "a tmpfs has no source", { hint: "take it out" });
  for (const kind of ["bind", "volume", "tmpfs"] as const)
    if (type && type !== kind && mount[kind])
      complain([kind], `${kind} means nothing to a ${type}`, { hint: "take it out" });
  if (mount.bind?.selinux && mount.bind.create_host_path === false)
    complain(["bind", "selinux"], "selinux together with create_host_path: false", {
      hint: "the engine relabels only folders that it may make; take one of them out",
    });
  const name = type === "volume" && source ? readVolumeName(source) : good("");
  if (!name.ok) complain(["source"], name.message, { hint: name.hint, about: "value" });
  if (type === "volume" && !source && mount.volume?.subpath)
    complain(["volume", "subpath"], "a folder in a volume that has no name", {
      hint: "name the volume in source",
    });
});

function makeMount(mount: LongMount): MountDraft | TmpfsDraft {
  const { type, source, target, read_only, bind, volume } = mount;
  if (type === "tmpfs") return { type, target, options: optionsOf(mount) };
  return {
    type,
    ...(source && { source }),
    target,
    ...(read_only === true && { read_only }),
    ...(bind?.selinux && { selinux: bind.selinux }),
    ...(bind?.propagation && { propagation: bind.propagation }),
    ...(bind?.create_host_path === false && { create_host_path: false }),
    ...(volume?.nocopy === true && { nocopy: true }),
    ...(volume?.subpath && { subpath: volume.subpath }),
  };
}

function optionsOf({ read_only, tmpfs }: LongMount): string {
  return [
    ...(read_only === true ? ["ro"] : []),
    ...(tmpfs?.size ? [`size=${tmpfs.size}`] : []),
    ...(tmpfs?.mode ? [`mode=${tmpfs.mode}`] : []),
  ].join(",");
}

const longMount = z.pipe(plainMount.check(judgeMount), z.transform(makeMount));

export const volumes = z.array(z.union([leaf(readMount), longMount]));

const shortTmpfs = leaf((written) => {
  const [path = "", options = "", ...more] = written.split(":");
  const target = readTarget(path);
  if (!target.ok) return target;
  if (more.length > 0) return bad("is no tmpfs", "write it as /path or /path:size=64m,noexec");
  return good<TmpfsDraft>({ type: "tmpfs", target: target.value, options });
});

export const tmpfs = z.pipe(
  z.union([shortTmpfs, z.array(shortTmpfs)]),
  z.transform((input): readonly TmpfsDraft[] => (Array.isArray(input) ? input : [input])),
);
