// The schemas of volumes and tmpfs.

import * as z from "zod/mini";
import { readBoolean, readBytes } from "../forms/numbers.ts";
import { bad, good } from "../forms/reading.ts";
import { type MountDraft, readMount, readTarget, readVolumeName } from "../forms/volumes.ts";
import { choice, fields, leaf, maybe, rule, text } from "./parts.ts";
import { bindStrangers, tmpfsStrangers, volumeStrangers } from "./strangers.ts";

/** A file system in memory: where, and its mount options. */
export type TmpfsDraft = {
  readonly type: "tmpfs";
  readonly target: string;
  readonly options: string;
};

const bindOptions = fields(
  {
    selinux: maybe(choice(["z", "Z"])),
    // The engine makes a missing folder; that it should not is not supported yet.
    create_host_path: maybe(choice(["true"], ["false"])),
  },
  bindStrangers,
);

const longMount = z.pipe(
  fields(
    {
      type: choice(["bind", "volume", "tmpfs"], ["npipe", "cluster", "image"]),
      source: maybe(text(1)),
      target: leaf(readTarget),
      read_only: maybe(leaf(readBoolean, "boolean")),
      bind: maybe(bindOptions),
      tmpfs: maybe(fields({ size: maybe(leaf(readBytes)) }, tmpfsStrangers)),
    },
    volumeStrangers,
  ).check(
    rule(({ type, source, bind, tmpfs }, complain) => {
      if (type === "bind" && !source) complain([], "a bind mount needs a source");
      if (type === "tmpfs" && source)
        complain(["source"], "a tmpfs has no source", { hint: "take it out" });
      if (type !== "bind" && bind)
        complain(["bind"], `bind means nothing to a ${type}`, { hint: "take it out" });
      if (type !== "tmpfs" && tmpfs)
        complain(["tmpfs"], `tmpfs means nothing to a ${type}`, { hint: "take it out" });
      const name = type === "volume" && source ? readVolumeName(source) : good("");
      if (!name.ok) complain(["source"], name.message, { hint: name.hint, about: "value" });
    }),
  ),
  z.transform(({ type, source, target, read_only, bind, tmpfs }): MountDraft | TmpfsDraft => {
    if (type === "tmpfs")
      return { type, target, options: tmpfsOptions(tmpfs?.size, read_only === true) };
    return {
      type,
      ...(source && { source }),
      target,
      ...(read_only === true && { read_only }),
      ...(bind?.selinux && { selinux: bind.selinux }),
    };
  }),
);

function tmpfsOptions(size: number | null | undefined, isReadOnly: boolean): string {
  return [...(isReadOnly ? ["ro"] : []), ...(size ? [`size=${size}`] : [])].join(",");
}

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
