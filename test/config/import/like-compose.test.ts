// Every service of fixtures/compose/merging is imported as the same group from its file, where we merge, and from what
// docker compose makes of that file, where all is merged already.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readSource } from "../../../src/config/files.ts";
import type { ReadFile } from "../../../src/config/import/compose-file.ts";
import { importCompose } from "../../../src/config/import/import.ts";
import { makeSource } from "../../../src/config/source.ts";
import { loadIn, someUid } from "../manifests.ts";
import { problemsText } from "../problem-text.ts";

const folder = join(import.meta.dirname, "../../../fixtures/compose/merging");
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));

/** What the environments have no value for; neither had Compose. */
const variables = { envFiles: [], shell: { A: "shell", N: "shell" }, names: ["A", "N"] };

/** What scripts/record-merging.mjs wrote, with the places of this machine. */
function recordingOf(file: string): string {
  return readFileSync(join(folder, file.replace(/\.yaml$/, ".json")), "utf8")
    .replaceAll("/srv/compose", dirname(folder))
    .replaceAll("/home/somebody", homedir());
}

/** Every service of every file, hidden by profiles or not. */
const services = files.flatMap((file) =>
  Object.keys(JSON.parse(recordingOf(file)).services).map((service) => ({ file, service })),
);

/** What is applied where the file at `path` is imported: its spec, with what is sealed in the open. */
async function specOf(path: string, service: string, read: ReadFile): Promise<unknown> {
  const { groups: manifests, problems } = importCompose({
    path,
    services: [service],
    images: {},
    projectName: undefined,
    shellProjectName: undefined,
    folder,
    cwd: folder,
    grouped: true,
    schema: undefined,
    makeUid: () => someUid,
    read,
    exists: existsSync,
  });
  const readStdin = async () => manifests.map(({ text }) => text).join("---\n");
  const loaded = await loadIn(folder, { files: ["-"], readStdin, variables });
  const [group] = loaded.groups;
  if (group?.kind !== "valid") return problemsText([...problems, ...loaded.problems]);
  const open = (_: string, value: unknown) =>
    typeof value === "string" ? (group.secrets?.reveal(value) ?? value) : value;
  return JSON.parse(JSON.stringify(group.spec, open));
}

test("there are files to merge", () => {
  expect(files.length).toBeGreaterThan(12);
});

test.each(services)("$file: $service", async ({ file, service }) => {
  const path = join(folder, file);
  const theirs = await specOf(path, service, () => makeSource(file, recordingOf(file)));
  expect(theirs).toHaveProperty("template.image");
  expect(await specOf(path, service, (each) => readSource(each, folder))).toEqual(theirs);
});
