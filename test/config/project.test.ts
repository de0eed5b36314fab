// wgctl.yaml: where it is found, what it becomes, and what is said of a wrong one.

import { join } from "node:path";
import { expect, test } from "vitest";
import { findProject } from "../../src/config/find-project.ts";
import { loadProject } from "../../src/config/project.ts";
import { folderWith, someUid } from "./manifests.ts";
import { problemsText } from "./problem-text.ts";

const head = `apiVersion: wgctl.dev/v1\nkind: Project\nmetadata: {name: payments, uid: ${someUid}}\n`;

async function read(text: string) {
  const root = folderWith({ "wgctl.yaml": text });
  return { root, ...(await loadProject(join(root, "wgctl.yaml"), root)) };
}

test("the nearest one upwards is found", async () => {
  const root = folderWith({ "wgctl.yaml": head, "a/wgctl.yaml": head, "a/b/c/x": "", "d/e/x": "" });
  expect(findProject(join(root, "a/b/c"))).toBe(join(root, "a/wgctl.yaml"));
  expect(findProject(join(root, "d/e"))).toBe(join(root, "wgctl.yaml"));
  expect(findProject("/")).toBeUndefined();
});

test("without a spec it covers everything beside and below it", async () => {
  const { root, project, problems } = await read(head);
  expect(problems).toEqual([]);
  expect(project).toEqual({
    name: "payments",
    uid: someUid,
    root,
    manifests: [root],
    context: undefined,
    actionsPerPass: 100,
    env: [],
    prune: false,
  });
});

test("everything can be set", async () => {
  const { root, project } = await read(
    `${head}spec:\n  manifests: [groups/, ../more/x.yaml]\n  engine: {type: docker, context: prod}\n  budget: {actionsPerPass: 7}\n  prune: true\n`,
  );
  expect(project).toMatchObject({
    manifests: [join(root, "groups"), join(root, "../more/x.yaml")],
    context: "prod",
    actionsPerPass: 7,
    prune: true,
  });
});

test.each([
  ["nothing", "", "1:1 an empty project file"],
  ["a tab", "a:\n\tb: 1\n", "2:1 a tab in the indentation"],
  ["two documents", `${head}---\n${head}`, "5:1 a second document"],
  ["no uid", head.replace(/, uid: .*\}/, "}"), "3:1 uid is missing"],
  ["another kind", head.replace("Project", "Projekt"), '2:7 "Projekt" is not known here'],
  ["an unknown field", `${head}spec: {manifest: [x]}`, '4:8 unknown field "manifest"'],
  [
    "another engine",
    `${head}spec: {engine: {type: swarm}}`,
    '4:23 "swarm" is not supported by this version',
  ],
  ["no budget", `${head}spec: {budget: {actionsPerPass: 0}}`, '4:33 "0" is out of range'],
  ["a list of hosts", `${head}spec: [a]`, "4:1 spec is a list"],
])("%s is a problem with its place", async (_, text, expected) => {
  const { project, problems } = await read(text);
  expect(project).toBeUndefined();
  expect(problems.map(({ place, message }) => `${place.line}:${place.column} ${message}`)).toEqual([
    expected,
  ]);
});

test("a missing uid names the command that writes one", async () => {
  const { problems } = await read(head.replace(/, uid: .*\}/, "}"));
  expect(problemsText(problems)).toContain("`wgctl uid --write wgctl.yaml` writes one");
});

test("a file that is not there is a problem, not an exception", async () => {
  const root = folderWith({});
  const { problems } = await loadProject(join(root, "wgctl.yaml"), root);
  expect(problems).toMatchObject([
    { message: "no such file or folder", place: { file: "wgctl.yaml" } },
  ]);
});
