// Which files are read and in what order, what is somebody else's, and what stops the run.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasCode } from "../../src/core/errors.ts";
import type { Project } from "../../src/core/model.ts";
import { folderWith, loadIn, loadText, manifest, someUid } from "./manifests.ts";
import { problemsText } from "./problem-text.ts";

const uidEndingIn = (end: string) => someUid.slice(0, -end.length) + end;
const a = manifest("", { name: "a", uid: uidEndingIn("a") });
const b = manifest("", { name: "b", uid: uidEndingIn("b") });
const compose = "services:\n  web: {image: nginx}\n";

const namesOf = ({ groups }: Awaited<ReturnType<typeof loadIn>>) =>
  groups.map(({ identity }) => identity.name);

test("a folder is walked to the bottom, and only for manifests", async () => {
  const folder = folderWith({
    "b.yml": b,
    "deep/er/a.yaml": a,
    "wgctl.yaml": "kind: Project\n",
    "compose.yaml": compose,
    "empty.yaml": "# nothing\n---\n---\n",
    "notes.txt": "kind: WorkerGroup",
    ".hidden/x.yaml": "kind: WorkerGroup\n",
    ".x.yaml": "kind: WorkerGroup\n",
    "node_modules/x.yaml": "kind: WorkerGroup\n",
  });
  const loaded = await loadIn(folder, { files: ["."] });
  expect(problemsText(loaded.problems)).toBe("");
  expect(namesOf(loaded)).toEqual(["a", "b"]);
  expect(loaded.complete).toBe(true);
  expect(loaded.files).toContainEqual({ path: join(folder, "deep/er/a.yaml"), how: "found" });
});

test("a found file that cannot be parsed may be anybody's, so nothing is believed to be absent", async () => {
  const folder = folderWith({ "a.yaml": a, "broken.yaml": "a: [\n" });
  expect(await loadIn(folder)).toMatchObject({ complete: false });
});

test("without a project and -f only the folder itself is read", async () => {
  const folder = folderWith({ "b.yml": b, "deep/a.yaml": a });
  expect(namesOf(await loadIn(folder, { files: [] }))).toEqual(["b"]);
  expect(namesOf(await loadIn(folder, { files: ["."] }))).toEqual(["a", "b"]);
});

test.each([
  ["a compose file", compose],
  ["a broken file", "a: [\n"],
])("%s that is named must be a manifest", async (_, text) => {
  const folder = folderWith({ "x.yaml": text });
  expect(await loadIn(folder, { files: ["x.yaml"] })).toMatchObject({
    groups: [],
    complete: false,
  });
});

test.each([
  ["a broken manifest", "apiVersion: wgctl.dev/v1\nkind: [\n"],
  ["a manifest with a misspelt version", "apiVersion: wgctl.de/v1\nkind: WorkerGroup\n"],
  ["a manifest with a misspelt kind", "apiVersion: wgctl.dev/v1\nkind: WorkerGruop\n"],
  [
    "a manifest in braces with a misspelt version",
    '{"kind": "WorkerGroup", "apiVersion": "wgctl.de/v1"}',
  ],
  ["a foreign document beside one of ours", `${a}---\n${compose}`],
])("%s in a folder is not taken for somebody else's", async (_, text) => {
  const loaded = await loadIn(folderWith({ "x.yaml": text }));
  expect(loaded.complete).toBe(false);
  expect(loaded.problems[0]?.place.file).toBe("x.yaml");
});

test("symbolic links are followed, loops end, and nothing is read twice", async () => {
  const folder = folderWith({ "groups/a.yaml": a, "elsewhere/b.yaml": b });
  symlinkSync(folder, join(folder, "groups/loop"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "groups/linked"));
  symlinkSync("nowhere", join(folder, "groups/dangling.yaml"));
  symlinkSync("self.yaml", join(folder, "groups/self.yaml"));
  const loaded = await loadIn(folder, { files: ["groups", "groups/a.yaml", folder] });
  expect(problemsText(loaded.problems)).toBe("");
  expect(namesOf(loaded)).toEqual(["a", "b"]);
});

test("what is named and cannot be read stops the run", async () => {
  const folder = folderWith({ "a.yaml": a });
  writeFileSync(join(folder, "latin1.yaml"), Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]));
  const loaded = await loadIn(folder, { files: ["a.yaml", "none.yaml", "latin1.yaml"] });
  expect(loaded.complete).toBe(false);
  expect(namesOf(loaded)).toEqual(["a"]);
  expect(problemsText(loaded.problems)).toBe(
    "latin1.yaml:1:1 error not UTF-8 text\n  save it as UTF-8\n\nnone.yaml:1:1 error no such file or folder\n",
  );
});

test("the project says what to read, unless files are given", async () => {
  const root = folderWith({ "groups/a.yaml": a, "other/b.yaml": b });
  const project: Project = {
    name: "p",
    uid: someUid,
    root,
    manifests: [join(root, "groups")],
    context: undefined,
    actionsPerPass: 100,
    env: [],
    prune: false,
  };
  expect(namesOf(await loadIn(root, { project, files: [] }))).toEqual(["a"]);
  expect(namesOf(await loadIn(root, { project, files: ["other"] }))).toEqual(["b"]);
});

test("an empty folder is complete and holds no group", async () => {
  const folder = folderWith({});
  mkdirSync(join(folder, "groups"));
  expect(await loadIn(folder)).toEqual({
    groups: [],
    problems: [],
    complete: true,
    files: [],
    variableFiles: [join(folder, ".env")],
    home: null,
    variables: [],
  });
});

test("the standard input goes with files, and its paths begin at the working directory", async () => {
  const folder = folderWith({ "a.yaml": a });
  const text = manifest("volumes: [./x:/y]", { name: "b", uid: uidEndingIn("b") });
  const loaded = await loadIn(folder, { files: ["-", "a.yaml"], readStdin: async () => text });
  expect(loaded.files).toEqual([{ path: join(folder, "a.yaml"), how: "named" }]);
  expect(loaded.groups[1]).toMatchObject({
    place: { file: "<stdin>" },
    spec: { template: { volumes: [{ source: join(folder, "x") }] } },
  });
});

test("relative paths begin at the manifest's folder, also through a link to it", async () => {
  const folder = folderWith({ "real/a.yaml": manifest("volumes: [./x:/y]") });
  mkdirSync(join(folder, "linked"));
  symlinkSync(join(folder, "real/a.yaml"), join(folder, "linked/a.yaml"));
  const loaded = await loadIn(folder, { files: ["linked/a.yaml"] });
  expect(loaded.groups[0]).toMatchObject({
    spec: { template: { volumes: [{ source: join(folder, "linked/x") }] } },
  });
});

test("groups are sorted by namespace, name and uid, whatever the files are called", async () => {
  const inProd = manifest("", { name: "a", uid: uidEndingIn("c"), metadata: "namespace: prod" });
  const loaded = await loadText([inProd, b, a].join("---\n"));
  expect(loaded.groups.map(({ identity }) => `${identity.namespace}/${identity.name}`)).toEqual([
    "default/a",
    "default/b",
    "prod/a",
  ]);
});

test("one name in two namespaces is two groups", async () => {
  const inProd = manifest("", { name: "a", uid: uidEndingIn("c"), metadata: "namespace: prod" });
  expect((await loadText(`${a}---\n${inProd}`)).problems).toEqual([]);
});

test("two files with one uid are told with both places", async () => {
  const folder = folderWith({ "a.yaml": a, "b.yaml": a.replace("name: a", "name: b") });
  const loaded = await loadIn(folder);
  expect(loaded.complete).toBe(false);
  expect(loaded.problems).toMatchObject([
    { place: { file: "b.yaml", line: 5 }, message: expect.stringContaining("a.yaml:5:8") },
  ]);
});

test.each([
  ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
  ["a byte order mark", (text: string) => `\uFEFF${text}`],
  ["a directive of an older YAML", (text: string) => `%YAML 1.1\n---\n${text}`],
  ["a document end", (text: string) => `---\n${text}...\n`],
  ["comments and blank lines", (text: string) => `# a\n\n${text}\n# b\n`],
])("%s changes nothing", async (_, change) => {
  const text = manifest("command: |\n  run it\nenvironment: {A: 1}", {});
  const [plain, changed] = [await loadText(text), await loadText(change(text))];
  expect(changed.problems).toEqual([]);
  expect({ ...changed.groups[0], place: 0 }).toEqual({ ...plain.groups[0], place: 0 });
});

test("case 10: one run reports every mistake of every file, each with its place", async () => {
  const folder = folderWith({
    "a.yaml": manifest("environment: {T: '$TOKEN'}"),
    "b.yaml": `x-e: &e {A: b}\n${manifest("environment:\n  <<: *e\n  <<: *e", { name: "b", uid: uidEndingIn("b") })}`,
    "c.yaml": "apiVersion: wgctl.dev/v1\nkind: WorkerGroup\nmetadata:\n\tname: c\n",
    "d.yaml": manifest("", { name: "d" }),
    "e.yaml": manifest("", { name: "e", uid: uidEndingIn("e"), spec: "replica: 3" }),
  });
  const { problems, complete } = await loadIn(folder);
  expect(complete).toBe(false);
  expect(
    problems.map(({ place, message }) => `${place.file}:${place.line}:${place.column} ${message}`),
  ).toEqual([
    expect.stringMatching(/^a\.yaml:10:23 .*TOKEN/),
    "b.yaml:13:7 a second `<<` in one mapping",
    "c.yaml:4:1 a tab in the indentation",
    expect.stringMatching(/^d\.yaml:5:8 the uid .* is already that of mailer \(a\.yaml:5:8\)$/),
    'e.yaml:7:3 unknown field "replica"',
  ]);
  expect(problems.every(({ hint, frame }) => hint !== undefined && frame !== undefined)).toBe(true);
});

test("very deep and very large files are answered, not thrown", async () => {
  const deep = `a: ${"[".repeat(20_000)}`;
  const nested = `a: ${"[".repeat(500)}${"]".repeat(500)}`;
  for (const text of [deep, nested]) {
    const { problems } = await loadText(text);
    expect(problems.map(({ message }) => message).join()).toMatch(/nested too deeply/);
  }
  const folder = folderWith({ "large.yaml": "#".repeat(16 * 1024 ** 2 + 1) });
  expect((await loadIn(folder)).problems[0]?.message).toBe("larger than 16 MiB");
});

test("a signal stops the reading", async () => {
  const folder = folderWith({ "a.yaml": a });
  const { load } = await import("../../src/config/load.ts");
  const request = { files: [], project: undefined, cwd: folder, readStdin: async () => "" };
  const error = await load(request, AbortSignal.abort()).catch((caught: unknown) => caught);
  expect(hasCode(error, "aborted")).toBe(true);
});
