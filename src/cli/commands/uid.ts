// `wgctl uid`: prints a fresh UID, or writes one into every document of the given files that lacks it.

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT } from "../../app/verdict.ts";
import { type UidWriting, writeUids } from "../../config/uid.ts";
import { WgctlError } from "../../core/errors.ts";
import { replaceFile } from "../../store/atomic-file.ts";
import { errnoOf } from "../../store/errno.ts";
import { openHost, showProblems } from "../host.ts";
import { workingFolder } from "../open.ts";
import type { OutputOptions } from "../options.ts";

export type UidOptions = OutputOptions & { readonly write: boolean };

export async function uidCommand(files: readonly string[], options: UidOptions): Promise<number> {
  const host = openHost(options);
  if (options.write !== files.length > 0) {
    throw new WgctlError(
      "bad-usage",
      options.write ? "--write names no file" : "files are given without --write",
      {
        hint: "`wgctl uid` prints a new UID; `wgctl uid --write FILE...` writes them where they are missing",
      },
    );
  }
  if (!options.write) {
    host.streams.out(`${randomUUID()}\n`);
    return EXIT.done;
  }
  const manifests = await Promise.all(files.map(prepare));
  const problems = manifests.flatMap(({ writing }) =>
    writing.kind === "failed" ? writing.problems : [],
  );
  if (problems.length > 0) {
    showProblems(host, problems);
    return EXIT.userMustAct;
  }
  for (const manifest of eachOnce(manifests)) host.streams.out(await write(manifest));
  return EXIT.done;
}

/** Without the further names of a file, which would get other UIDs. */
function eachOnce(manifests: readonly Manifest[]): readonly Manifest[] {
  return [...new Map(manifests.map((manifest) => [manifest.path, manifest])).values()];
}

type Manifest = {
  /** As the person named it. */
  readonly file: string;
  /** Where it really is, so that a link stays one. */
  readonly path: string;
  readonly mode: number;
  readonly writing: UidWriting;
};

async function prepare(file: string): Promise<Manifest> {
  try {
    const path = await realpath(resolve(workingFolder(), file));
    const { mode } = await stat(path);
    const text = decode(file, await readFile(path));
    return { file, path, mode: mode & 0o777, writing: writeUids(file, text, randomUUID) };
  } catch (error) {
    throw refusal("read", file, error);
  }
}

/** Bytes that are no UTF-8 would come back as others. */
function decode(file: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new WgctlError("invalid-input", `${file} is not UTF-8`, { hint: "save it as UTF-8 first" });
}

/** Writes what was spliced in and says so, a line for each UID. */
async function write({ file, path, mode, writing }: Manifest): Promise<string> {
  if (writing.kind === "failed") return "";
  if (writing.uids.length === 0) return `${file}: every document has its uid\n`;
  try {
    await replaceFile(path, writing.text, mode);
  } catch (error) {
    throw refusal("write", file, error);
  }
  return writing.uids.map(({ name, uid, line }) => `${file}:${line}: ${name} is ${uid}\n`).join("");
}

function refusal(verb: "read" | "write", file: string, cause: unknown): unknown {
  const code = errnoOf(cause);
  if (code === undefined) return cause;
  return new WgctlError("refused", `cannot ${verb} ${file}: ${code}`, { cause });
}
