// A UID is spliced in, and everything else of the file stays as it was, to the byte.

import { structuredPatch } from "diff";
import { expect, test } from "vitest";
import { writeUids } from "../../src/config/uid.ts";
import { manifest, someUid } from "./manifests.ts";

const uids = (count: number) => Array.from({ length: count }, (_, index) => `uid-${index + 1}`);

function write(text: string) {
  const next = uids(9)[Symbol.iterator]();
  return writeUids("a.yaml", text, () => next.next().value ?? "");
}

/** The lines that writing takes away and adds. */
function changes(text: string): readonly string[] {
  const result = write(text);
  if (result.kind === "failed") return result.problems.map(({ message }) => message);
  const { hunks } = structuredPatch("", "", text, result.text, "", "", { context: 0 });
  return hunks.flatMap(({ lines }) => lines);
}

const head = "apiVersion: wgctl.dev/v1\nkind: WorkerGroup\n";

test.each([
  ["below the name", `${head}metadata:\n  name: a\n  labels: {b: c}\n`, ["+  uid: uid-1"]],
  ["after a comment", `${head}metadata:\n    name: a # why\n`, ["+    uid: uid-1"]],
  [
    "in braces",
    `${head}metadata: {name: a, labels: {}}\n`,
    ["-metadata: {name: a, labels: {}}", "+metadata: {name: a, uid: uid-1, labels: {}}"],
  ],
  [
    "in an empty field",
    `${head}metadata:\n  uid: # later\n  name: a\n`,
    ["-  uid: # later", "+  uid: uid-1 # later"],
  ],
  [
    "in place of null",
    `${head}metadata: {uid: ~, name: a}\n`,
    ["-metadata: {uid: ~, name: a}", "+metadata: {uid: uid-1, name: a}"],
  ],
  [
    "with CRLF",
    `${head}metadata:\n  name: a\nspec: {}\n`.replaceAll("\n", "\r\n"),
    ["+  uid: uid-1\r"],
  ],
  [
    "for a project",
    "apiVersion: wgctl.dev/v1\nkind: Project\nmetadata:\n  name: p\n",
    ["+  uid: uid-1"],
  ],
  [
    "for two documents",
    `${head}metadata:\n  name: a\n---\n${head}metadata:\n  name: b\n`,
    ["+  uid: uid-1", "+  uid: uid-2"],
  ],
  ["nowhere that one is", manifest(""), []],
  ["nowhere in what is not ours", "services: {}\n", []],
  ["after a quoted name", `${head}metadata:\n  name: "a"\n`, ["+  uid: uid-1"]],
  ["beside an anchor", `${head}metadata: &m\n  name: &n a\n  labels: {x: *n}\n`, ["+  uid: uid-1"]],
  ["nowhere without a name", `${head}metadata: {}\n`, ["no place to write a uid to"]],
  ["nowhere without metadata", head, ["no place to write a uid to"]],
  [
    "nowhere in a merged mapping",
    `x-m: &m {name: a}\n${head}metadata:\n  <<: *m\n`,
    ["no place to write a uid to"],
  ],
  ["nowhere in a broken file", `${head}metadata:\n\tname: a\n`, ["a tab in the indentation"]],
])("%s", (_, text, expected) => {
  expect(changes(text)).toEqual(expected);
});

test("comments, anchors, octal-looking and long numbers, lists and blank lines stay", () => {
  const text = [
    "\uFEFF# head",
    "x-e: &e {UMASK: 0644, BIG: 12345678901234567890}",
    "",
    `${head}metadata:`,
    "  name:   a   # keep",
    "spec:",
    "  replicas: 1",
    "  template:",
    "    image:  'a'",
    "    command: [ 'x',\"y\" ]",
    "    environment: {<<: *e, T: 22:22, N: no, V: 1.10}",
    "",
  ].join("\r\n");
  const result = write(text);
  expect(result).toEqual({
    kind: "written",
    text: text.replace("# keep\r\n", "# keep\r\n  uid: uid-1\r\n"),
    uids: [{ name: "a", uid: "uid-1", line: 8 }],
  });
});

test("lines are those of the new text", () => {
  const one = `${head}metadata:\n  name: a\n`;
  expect(write(`${one}---\n${one}`)).toMatchObject({
    uids: [
      { name: "a", line: 5 },
      { name: "a", line: 11 },
    ],
  });
});

test("a file without a newline at its end gets its line", () => {
  expect(write(`${head}metadata:\n  name: a`)).toMatchObject({
    text: `${head}metadata:\n  name: a\n  uid: uid-1`,
  });
});

test("a uid that is wrong is left for validation to tell", () => {
  const text = manifest("", { uid: "nonsense" });
  expect(write(text)).toEqual({ kind: "written", text, uids: [] });
  expect(write(manifest("", { uid: someUid }))).toMatchObject({ uids: [] });
});
