// The reference page of manifests says what is true: its example, and every field by name.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groupNotes, projectNotes } from "../../src/config/schema/notes.ts";
import { deployStrangers, templateStrangers } from "../../src/config/schema/strangers.ts";
import { renderProblems } from "../../src/view/problems-text.ts";
import { createPaint } from "../../src/view/style.ts";
import { folderWith, loadIn } from "./manifests.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/manifests.md"), "utf8");

/** The first block of that language in a section. */
function block(section: string, language: string): string {
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const [, , code = ""] = new RegExp(`(\`\`\`)${language}\n([^\`]*)\`\`\``).exec(text) ?? [];
  return code;
}

test("its broken manifest gets the very output that it shows", async () => {
  const cwd = folderWith({
    "groups/mailer.yaml": block("Validation", "yaml"),
  });
  const { problems } = await loadIn(cwd, { files: ["groups"] });
  expect(renderProblems(problems, createPaint(false))).toBe(block("Validation", "text"));
});

test("its group is valid, and its file of variables can be read", async () => {
  const cwd = folderWith({
    "a.yaml": block("Group", "yaml").replace("{image:", "{env_file: a.env, image:"),
    "a.env": block("env_file", "sh"),
    ".env": "FROM_OUTSIDE=1\n",
  });
  const { problems, groups } = await loadIn(cwd);
  expect(problems).toEqual([]);
  const [group] = groups;
  const names = Object.keys((group?.kind === "valid" && group.spec.template.environment) || {});
  expect(names).toEqual([..."PLAIN ALSO COLON SINGLE DOUBLE LONG FILLED FROM_OUTSIDE".split(" ")]);
});

test.each([
  ["taken", [...Object.keys(groupNotes), ...Object.keys(projectNotes)]],
  ["refused", Object.keys(templateStrangers.refused ?? {})],
  ["refused in deploy", Object.keys(deployStrangers.refused ?? {})],
  ["of another version", Object.keys(templateStrangers.later ?? {})],
])("every field that is %s stands on it", (_, fields) => {
  const names = fields.map((path) => path.split(".").at(-1)?.replace("[]", "") ?? "");
  const missing = names.filter((name) => name !== "*" && !new RegExp(`\\b${name}\\b`).test(page));
  expect(missing).toEqual([]);
});
