// Reads the files that a template has mounted as secrets and configs. What is in them goes into digests and nowhere else.

import type { OpenFile, OpenFiles } from "../core/file-mounts.ts";
import type { Problem } from "../core/model.ts";
import { readBytes } from "./files.ts";
import { absolute, type Folders } from "./normalise-template.ts";
import { problemAt, spanOf } from "./problems.ts";
import { type FileField, fileUses, readFilePath } from "./schema/file-mounts.ts";
import type { Source } from "./source.ts";
import { find, type Node, textAt, toPlain } from "./tree.ts";
import type { Variables } from "./variables.ts";

export type FilesContext = Folders & {
  readonly root: Node;
  readonly source: Source;
  readonly cwd: string;
  readonly variables: Variables;
};

/** A declared file and what is in it, or why that cannot be had. */
type Reading =
  | { readonly file: string; readonly bytes: Uint8Array }
  | { readonly problem: Problem };

/**
 * Reads every file that is used, each once. One that cannot be read is a problem where it is declared; what is wrong
 * with the fields themselves is the schema's to say.
 */
export function openFiles(context: FilesContext): OpenFiles & { problems: readonly Problem[] } {
  const secrets = openField("secrets", context);
  const configs = openField("configs", context);
  return {
    secrets: secrets.files,
    configs: configs.files,
    problems: [...secrets.problems, ...configs.problems],
  };
}

function openField(field: FileField, context: FilesContext) {
  const readings = new Map<string, Reading | undefined>();
  const files: OpenFile[] = [];
  for (const { source, target } of usesOf(field, context.root)) {
    if (!readings.has(source)) readings.set(source, read(field, source, context));
    const reading = readings.get(source);
    if (reading !== undefined && "file" in reading) files.push({ ...reading, target });
  }
  const problems = [...readings.values()].flatMap((reading) =>
    reading !== undefined && "problem" in reading ? [reading.problem] : [],
  );
  return { files, problems };
}

/** Item by item, so that a wrong one hides nothing of the others. */
function usesOf(field: FileField, root: Node) {
  const list = find(root, ["spec", "template", field])?.node;
  const items = list?.kind === "list" ? list.items : [];
  return items.flatMap((item) => fileUses[field].safeParse(toPlain(item)).data ?? []);
}

/** Undefined where no usable path is declared. */
function read(field: FileField, name: string, context: FilesContext): Reading | undefined {
  const { root, source, cwd, variables } = context;
  const at = ["spec", field, name, "file"];
  const path = readFilePath(textAt(root, at) ?? "");
  if (!path.ok) return undefined;
  const file = absolute(path.value, context);
  variables.noteFile(file);
  const bytes = readBytes(file, cwd);
  if (!("message" in bytes)) return { file, bytes };
  const finding = { message: `${bytes.place.file}: ${bytes.message}`, hint: hintFor(bytes) };
  return { problem: problemAt(source, spanOf(root, at), at, finding) };
}

function hintFor({ message }: Problem): string {
  return message.startsWith("larger")
    ? "mount it with volumes, and set restartNonce where a change of it is to replace the workers"
    : "wgctl reads it to see when it changes, and the engine mounts the file of that path on its own host";
}
