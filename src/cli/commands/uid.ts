// `wgctl uid`: prints a fresh UID, or writes one into every document of the given files that lacks it.

import { randomUUID } from "node:crypto";
import { EXIT } from "../../app/verdict.ts";
import { type UidWriting, writeUids } from "../../config/uid.ts";
import { WgctlError } from "../../core/errors.ts";
import { type EditableFile, openEditable, requireWritable, saveEdited } from "../edited-file.ts";
import { openHost, showProblems } from "../host.ts";
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
  const chosen = eachOnce(manifests);
  for (const manifest of chosen.filter(isChanged)) await requireWritable(manifest.edited);
  for (const manifest of chosen) host.streams.out(await write(manifest));
  return EXIT.done;
}

type Manifest = { readonly edited: EditableFile; readonly writing: UidWriting };

/** Without the further names of a file, which would get other UIDs. */
function eachOnce(manifests: readonly Manifest[]): readonly Manifest[] {
  return [...new Map(manifests.map((manifest) => [manifest.edited.path, manifest])).values()];
}

async function prepare(file: string): Promise<Manifest> {
  const edited = await openEditable(file);
  return { edited, writing: writeUids(file, edited.text, randomUUID) };
}

function isChanged({ edited, writing }: Manifest): boolean {
  return writing.kind === "written" && writing.text !== edited.text;
}

/** Writes what was spliced in and says so, a line for each UID. */
async function write({ edited, writing }: Manifest): Promise<string> {
  if (writing.kind === "failed") return "";
  const { file } = edited;
  if (writing.uids.length === 0) return `${file}: every document has its uid\n`;
  await saveEdited(edited, writing.text);
  return writing.uids.map(({ name, uid, line }) => `${file}:${line}: ${name} is ${uid}\n`).join("");
}
