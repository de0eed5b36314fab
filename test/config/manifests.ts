// Small builders of manifests and of folders that hold them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Loaded, type LoadRequest, load } from "../../src/config/load.ts";
import type { GroupSpec } from "../../src/core/model.ts";
import { problemsText } from "./problem-text.ts";

export const someUid = "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11";

/** A manifest around the lines of a template; `spec` and `root` lines go beside it. */
export function manifest(
  template: string,
  { name = "mailer", uid = someUid, spec = "replicas: 1", root = "", metadata = "" } = {},
): string {
  return [
    root,
    "apiVersion: wgctl.dev/v1",
    "kind: WorkerGroup",
    "metadata:",
    `  name: ${name}`,
    `  uid: ${uid}`,
    indent(metadata, 2),
    "spec:",
    indent(spec, 2),
    "  template:",
    indent(template.includes("image:") ? template : `image: busybox:1.36\n${template}`, 4),
  ]
    .filter((line) => line.trim() !== "")
    .join("\n")
    .concat("\n");
}

function indent(text: string, by: number): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(by) + line))
    .join("\n");
}

/** A folder with these files, gone after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function loadIn(cwd: string, request: Partial<LoadRequest> = {}): Promise<Loaded> {
  return load({ files: ["."], project: undefined, cwd, readStdin: async () => "", ...request });
}

/** Loads text as if from the standard input. */
export function loadText(text: string): Promise<Loaded> {
  return loadIn("/srv/app", { files: ["-"], readStdin: async () => text });
}

/** The spec of the one group in a text that must be valid, its sensitive values still sealed. */
export async function specOf(text: string): Promise<GroupSpec> {
  const { groups, problems } = await loadText(text);
  const [group] = groups;
  if (group?.kind !== "valid") throw new Error(`not valid:\n${problemsText(problems)}`);
  return group.spec;
}
