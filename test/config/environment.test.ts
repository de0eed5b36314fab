// env_file and names without a value: order, what is missing, and that no value from outside is ever to be seen.

import { expect, test } from "vitest";
import type { LoadRequest } from "../../src/config/load.ts";
import { revealTemplate } from "../../src/core/seal.ts";
import { folderWith, loadIn, manifest } from "./manifests.ts";
import { problemsText } from "./problem-text.ts";

type Files = Readonly<Record<string, string>>;

async function load(template: string, files: Files = {}, request: Partial<LoadRequest> = {}) {
  const cwd = folderWith({ "groups/a.yaml": manifest(template), ...files });
  const loaded = await loadIn(cwd, request);
  const [group] = loaded.groups;
  const open =
    group?.kind === "valid" ? revealTemplate(group.spec.template, group.secrets) : undefined;
  return { ...loaded, group, open, cwd, text: problemsText(loaded.problems) };
}

test.each<[string, string, Files, Readonly<Record<string, string>>]>([
  ["one file", "env_file: a.env", { "groups/a.env": "A=1\nB='x y'" }, { A: "1", B: "x y" }],
  [
    "of several files the later wins, over all the template",
    "env_file: [a.env, ../b.env]\nenvironment: {C: 3}",
    { "groups/a.env": "A=1\nB=1\nC=1", "b.env": "B=2\nC=2" },
    { A: "1", B: "2", C: "3" },
  ],
  [
    "a long form, and one that may be missing",
    "env_file: [{path: a.env, required: true}, {path: none.env, required: false}]",
    { "groups/a.env": "A=1" },
    { A: "1" },
  ],
  [
    "variables in a file are those of the run, then those above",
    "env_file: [a.env, b.env]",
    { ".env": "A=run", "groups/a.env": "A=file\nB=$A\nC=1\nD=$C", "groups/b.env": "E=$D" },
    { A: "file", B: "run", C: "1", D: "1", E: "1" },
  ],
  [
    "names without a value",
    'env_file: a.env\nenvironment: {B: , C: ""}',
    { ".env": "A=1\nB=2\n", "groups/a.env": "A\n" },
    { A: "1", B: "2", C: "" },
  ],
  ["names without a value in a list", "environment: [A, B=]", { ".env": "A=1" }, { A: "1", B: "" }],
  ["no file at all", "env_file: /dev/null", {}, {}],
  ["an empty file", "env_file: a.env", { "groups/a.env": "# nothing\n" }, {}],
])("%s", async (_, template, files, expected) => {
  const { open, text } = await load(template, files);
  expect(text).toBe("");
  expect(open?.environment ?? {}).toEqual(expected);
});

test("what is missing or wrong blocks the group, with its place", async () => {
  const template = "env_file: [none.env, bad.env]\nenvironment: {A: }\nlabels: {a: [b]}";
  const { group, complete, text } = await load(template, { "groups/bad.env": "A=1\nB='x\n" });
  expect(complete).toBe(true);
  expect(group?.kind).toBe("invalid");
  expect(text.split("\n").filter((line) => line.includes(" error "))).toEqual([
    "groups/a.yaml:10:16 error spec.template.env_file[0]: groups/none.env: no such file or folder",
    "groups/a.yaml:11:19 error spec.template.environment.A: A has no value here, and no such variable is set",
    "groups/a.yaml:12:14 error spec.template.labels.a: a is a list",
    "groups/bad.env:2:1 error a quote (') that is never closed",
  ]);
});

test("a device that never ends is no file of variables", async () => {
  const { text } = await load("env_file: /dev/zero");
  expect(text).toContain("/dev/zero: a device, not a file");
});

test("a file's content is part of the template, so that a change of it is seen", async () => {
  const at = async (text: string) => {
    const { group } = await load("env_file: a.env", { "groups/a.env": text });
    return group?.kind === "valid" ? group.spec : undefined;
  };
  expect(await at("A=1")).toEqual(await at("A=1 # same"));
  expect(await at("A=1")).not.toEqual(await at("A=2"));
});

test("case 7: a secret in any place is sealed, in every part of what is loaded", async () => {
  const template = [
    "env_file: a.env",
    `environment: {A: $S, B: "x\${S}y", S: }`,
    "labels: {a: $S}",
    "command: run --token $S",
    "entrypoint: [tini, $S]",
    "healthcheck: {test: check $S}",
  ].join("\n");
  const variables = { envFiles: [], shell: { S: "hunter2" }, names: ["S"] };
  const { groups, problems, text, open, group } = await load(
    template,
    { "groups/a.env": 'C=hunter2\nD="$S"' },
    { variables },
  );
  expect(text).toBe("");
  expect(JSON.stringify({ groups, problems })).not.toContain("hunter2");
  expect(open).toMatchObject({
    command: ["run", "--token", "hunter2"],
    entrypoint: ["tini", "hunter2"],
    environment: { A: "hunter2", B: "xhunter2y", C: "hunter2", D: "hunter2", S: "hunter2" },
    labels: { a: "hunter2" },
    healthcheck: { test: ["CMD-SHELL", "check hunter2"] },
  });
  // What is not sensitive stays readable.
  expect(group).toMatchObject({
    spec: {
      template: {
        entrypoint: ["tini", expect.any(String)],
        healthcheck: { test: ["CMD-SHELL", expect.any(String)] },
      },
    },
  });
});

test("a value the template sets itself over a file's is not sensitive", async () => {
  const { group } = await load("env_file: a.env\nenvironment: {A: open}", {
    "groups/a.env": "A=1",
  });
  expect(group).toMatchObject({ spec: { template: { environment: { A: "open" } } } });
});

test("nothing is sealed where nothing came from outside", async () => {
  const { group } = await load("environment: {A: x$$y}\ncommand: [a]");
  expect(group).not.toHaveProperty("secrets");
  expect(group).toMatchObject({ spec: { template: { environment: { A: "x$y" } } } });
});
