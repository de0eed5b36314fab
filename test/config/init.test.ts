// What `init` writes must load without a word, and must leave alone what is there.

import { join } from "node:path";
import { expect, test } from "vitest";
import { type InitRequest, makeInitFiles } from "../../src/config/init.ts";
import { jsonSchemaText } from "../../src/config/json-schema.ts";
import { loadProject } from "../../src/config/project.ts";
import { folderWith, loadIn, someUid } from "./manifests.ts";

const request: InitRequest = {
  projectName: "payments",
  projectUid: someUid,
  groupUid: someUid.replace(/1$/, "2"),
  existing: {},
};

function filesOf(changes: Partial<InitRequest> = {}): Readonly<Record<string, string>> {
  const result = makeInitFiles({ ...request, ...changes });
  if (result.kind === "taken") throw new Error(`taken: ${result.paths}`);
  return Object.fromEntries(result.files.map(({ path, text }) => [path, text]));
}

test("its files load as a project with one valid group", async () => {
  const root = folderWith(filesOf({ image: "wgctl-dev:1" }));
  const { project, problems } = await loadProject(join(root, "wgctl.yaml"), root);
  expect(problems).toEqual([]);
  const loaded = await loadIn(root, { project });
  expect(loaded.problems).toEqual([]);
  expect(loaded.groups).toMatchObject([
    {
      kind: "valid",
      identity: { name: "example", uid: request.groupUid },
      spec: {
        replicas: 2,
        template: {
          image: "wgctl-dev:1",
          command: ["sh", "-c", expect.stringContaining("$WORKER")],
        },
      },
    },
  ]);
});

test("each file names the schema beside it for editors", () => {
  const files = filesOf();
  expect(files["wgctl.yaml"]).toMatch(/^# yaml-language-server: \$schema=wgctl\.schema\.json\n/);
  expect(files["groups/example.yaml"]).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/wgctl\.schema\.json\n/,
  );
  expect(files["wgctl.schema.json"]).toBe(jsonSchemaText());
});

test("a schema file of this version stays, another one is not overwritten", () => {
  expect(filesOf({ existing: { "wgctl.schema.json": jsonSchemaText() } })).not.toHaveProperty([
    "wgctl.schema.json",
  ]);
  const result = makeInitFiles({ ...request, existing: { "wgctl.schema.json": "{}" } });
  expect(result).toEqual({ kind: "taken", paths: ["wgctl.schema.json"] });
});

test("the image is busybox unless another is given", () => {
  expect(filesOf()["groups/example.yaml"]).toContain("image: busybox:1.36\n");
});

test.each([
  [undefined, ".wgctl/\n"],
  ["", ".wgctl/\n"],
  ["dist\n", "dist\n.wgctl/\n"],
  ["dist", "dist\n.wgctl/\n"],
  ["a\n.wgctl/\nb\n", undefined],
  ["/.wgctl\r\n", undefined],
  [".wgctl-old/\n", ".wgctl-old/\n.wgctl/\n"],
])("a .gitignore of %j becomes %j", (before, after) => {
  const files = filesOf({ existing: before === undefined ? {} : { ".gitignore": before } });
  expect(files[".gitignore"]).toBe(after);
});

test("what exists is named and not overwritten", () => {
  expect(
    makeInitFiles({ ...request, existing: { "wgctl.yaml": "", "groups/example.yaml": "" } }),
  ).toEqual({
    kind: "taken",
    paths: ["wgctl.yaml", "groups/example.yaml"],
  });
});
