// Seccomp profiles: the file's JSON is a part of the template, and the file one that a reading depends on.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compactJson } from "../../src/config/forms/security.ts";
import { folderWith, loadIn, manifest } from "./manifests.ts";

const profile =
  '{\n  "defaultAction": "SCMP_ACT_ERRNO",\n  "note": "a \\" b\\\\",\n  "value": 18446744073709551615\n}\n';
const compact =
  '{"defaultAction":"SCMP_ACT_ERRNO","note":"a \\" b\\\\","value":18446744073709551615}';

async function load(option: string, files: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ "groups/a.yaml": manifest(`security_opt: ["${option}"]`), ...files });
  return { folder, ...(await loadIn(folder)) };
}

async function optionsOf(option: string, files: Readonly<Record<string, string>> = {}) {
  const { groups, problems } = await load(option, files);
  const [group] = groups;
  return group?.kind === "valid" ? group.spec.template.security_opt : problems;
}

test.each(["seccomp=p.json", "seccomp:./p.json", "seccomp=../groups/p.json"])(
  "%s stands for the profile in that file",
  async (option) => {
    expect(await optionsOf(option, { "groups/p.json": profile })).toEqual([`seccomp=${compact}`]);
  },
);

test("an absolute path is taken as it is, and a variable may hold one", async () => {
  const folder = folderWith({ "p.json": profile });
  const files = { ".env": `PROFILE=${join(folder, "p.json")}\n` };
  expect(await optionsOf(`seccomp=\${PROFILE}`, files)).toEqual([`seccomp=${compact}`]);
});

test.each(["unconfined", "builtin"])("%s is no file", async (name) => {
  expect(await optionsOf(`seccomp:${name}`)).toEqual([`seccomp=${name}`]);
});

test("blanks of the file make no difference, all else does", async () => {
  const first = await optionsOf("seccomp=p.json", { "groups/p.json": profile });
  expect(await optionsOf("seccomp=p.json", { "groups/p.json": compact })).toEqual(first);
  const other = profile.replace("ERRNO", "LOG");
  expect(await optionsOf("seccomp=p.json", { "groups/p.json": other })).not.toEqual(first);
});

test.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ["is missing", {}, "groups/p.json: no such file or folder"],
  ["is no JSON", { "groups/p.json": "{" }, "groups/p.json: no JSON"],
  ["is a folder", { "groups/p.json/x": "" }, "groups/p.json: a folder where a file is needed"],
])("a file that %s blocks the group, with the option's place", async (_, files, message) => {
  const { problems, groups, complete } = await load("seccomp=p.json", files);
  expect(problems).toMatchObject([{ path: "spec.template.security_opt[0]", message }]);
  expect(problems[0]?.place).toMatchObject({ file: "groups/a.yaml", line: 10, column: 20 });
  expect(groups).toMatchObject([{ kind: "invalid" }]);
  expect(complete).toBe(true);
});

test("it is among all other problems of the group", async () => {
  const folder = folderWith({
    "a.yaml": manifest("security_opt: [seccomp=p.json]\ncap_add: [NO]\nenv_file: none.env"),
  });
  const { problems } = await loadIn(folder);
  expect(problems.map(({ path }) => path)).toEqual([
    "spec.template.security_opt[0]",
    "spec.template.cap_add[0]",
    "spec.template.env_file",
  ]);
});

test("the reading depends on the file, there or not", async () => {
  const { folder, variableFiles } = await load("seccomp=p.json");
  expect(variableFiles).toContain(join(folder, "groups/p.json"));
  writeFileSync(join(folder, "groups/p.json"), profile);
  expect((await loadIn(folder)).variableFiles).toContain(join(folder, "groups/p.json"));
});

test.each([
  [' { "a" : [ 1 , 2.50 ] } ', '{"a":[1,2.50]}'],
  ['"a \\u0020 \\"b c"', '"a \\u0020 \\"b c"'],
  ["", undefined],
  ["{a: 1}", undefined],
])("%j is compact as %j", (text, expected) => {
  expect(compactJson(text)).toBe(expected);
});
