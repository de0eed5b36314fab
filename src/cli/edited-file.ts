// A file of a person that a command edits: read, and replaced whole, with its mode, where it is still as it was read.

import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { access, readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { WgctlError } from "../core/errors.ts";
import { replaceFile } from "../store/atomic-file.ts";
import { errnoOf } from "../store/errno.ts";
import { workingFolder } from "./open.ts";

export type EditableFile = {
  /** As the person named it. */
  readonly file: string;
  /** Where it really is, so that a link stays one. */
  readonly path: string;
  readonly mode: number;
  /** With the byte order mark, if it has one. */
  readonly text: string;
};

const PERMISSIONS = 0o777;
const ANYBODY_WRITES = 0o222;

/** Reads a file that is to be edited; `refused` where it cannot be read, `invalid-input` where it is not UTF-8. */
export async function openEditable(file: string): Promise<EditableFile> {
  try {
    const path = await realpath(resolve(workingFolder(), file));
    const { mode } = await stat(path);
    return { file, path, mode: mode & PERMISSIONS, text: decode(file, await readFile(path)) };
  } catch (error) {
    throw refusal("read", file, error);
  }
}

/** Bytes that are no UTF-8 would come back as others. */
function decode(file: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new WgctlError("invalid-input", `${file} is not UTF-8`, { hint: "save it as UTF-8 first" });
}

/** Throws `refused` for a file that is not to be written. Root may write all, and means it no more than others. */
export async function requireWritable({ file, path, mode }: EditableFile): Promise<void> {
  const isAllowed =
    (mode & ANYBODY_WRITES) !== 0 &&
    (await access(path, constants.W_OK).then(
      () => true,
      () => false,
    ));
  if (isAllowed) return;
  throw new WgctlError("refused", `${file} is read-only`, {
    hint: "make it writable, or edit it where it comes from",
  });
}

/** Replaces the file; `refused` where it cannot be written, or was changed since it was read. */
export async function saveEdited(edited: EditableFile, text: string): Promise<void> {
  const { file, path, mode } = edited;
  if ((await openEditable(file)).text !== edited.text) {
    throw new WgctlError("refused", `${file} was changed meanwhile`, { hint: "try again" });
  }
  try {
    await replaceFile(path, text, mode);
  } catch (error) {
    throw refusal("write", file, error);
  }
}

function refusal(verb: "read" | "write", file: string, cause: unknown): unknown {
  const code = errnoOf(cause);
  if (code === undefined) return cause;
  return new WgctlError("refused", `cannot ${verb} ${file}: ${code}`, { cause });
}
