// A key is spliced into a group's manifest, and everything else of the file stays as it was, to the byte.

import { structuredPatch } from "diff";
import { describe, expect, test } from "vitest";
import { editGroups, type GroupEdit } from "../../src/config/edit-groups.ts";
import { someUid } from "./manifests.ts";

const restart = { path: ["spec", "restartNonce"], below: "replicas", value: "new" } as const;
const removal = { path: ["metadata", "deletionTimestamp"], below: "uid", value: "now" } as const;

/** The lines that an edit takes away and adds, or why it cannot be made. */
function changes(text: string, ...edits: readonly GroupEdit[]): readonly string[] {
  const result = editGroups("a.yaml", text, edits);
  if (result.kind === "failed") return result.problems.map(({ message }) => message);
  const { hunks } = structuredPatch("", "", text, result.text, "", "", { context: 0 });
  return hunks.flatMap(({ lines }) => lines);
}

const edit = (change: Omit<GroupEdit, "uid">): GroupEdit => ({ ...change, uid: someUid });

const head = `apiVersion: wgctl.dev/v1\nkind: WorkerGroup\nmetadata:\n  name: a\n  uid: ${someUid}\n`;
const template = "  template:\n    image: a\n";
const group = (spec: string) => `${head}spec:\n${spec}`;

describe("restartNonce", () => {
  test.each<[string, string, readonly string[]]>([
    ["below replicas", group(`  replicas: 1\n${template}`), ["+  restartNonce: new"]],
    ["below replicas at the end", group(`${template}  replicas: 1\n`), ["+  restartNonce: new"]],
    [
      "after a comment, by the same indentation",
      `${head}spec:\n      replicas: 1 # one\n      template: {image: a}\n`,
      ["+      restartNonce: new"],
    ],
    [
      "with CRLF",
      group(`  replicas: 1\n${template}`).replaceAll("\n", "\r\n"),
      ["+  restartNonce: new\r"],
    ],
    [
      "behind a byte order mark",
      `\uFEFF${group(`  replicas: 1\n${template}`)}`,
      ["+  restartNonce: new"],
    ],
    [
      "in place of another",
      group(`  replicas: 1\n  restartNonce:\told # why\n${template}`),
      ["-  restartNonce:\told # why", "+  restartNonce:\tnew # why"],
    ],
    [
      "in its quotes",
      group(`  replicas: 1\n${template}  restartNonce: 'old'`),
      [
        "-  restartNonce: 'old'",
        "\\ No newline at end of file",
        "+  restartNonce: 'new'",
        "\\ No newline at end of file",
      ],
    ],
    [
      "in empty quotes",
      group(`  restartNonce: ""\n  replicas: 1\n${template}`),
      ['-  restartNonce: ""', '+  restartNonce: "new"'],
    ],
    [
      "where nothing is yet",
      group(`  restartNonce: # none\n  replicas: 1\n${template}`),
      ["-  restartNonce: # none", "+  restartNonce: new # none"],
    ],
    [
      "in place of null",
      group(`  restartNonce: ~\n  replicas: 1\n${template}`),
      ["-  restartNonce: ~", "+  restartNonce: new"],
    ],
    [
      "in place of a value on the next line",
      group(`  restartNonce:\n    old\n  replicas: 1\n${template}`),
      ["-    old", "+    new"],
    ],
    [
      "in braces",
      `${head}spec: {replicas: 1, template: {image: a}}\n`,
      [
        "-spec: {replicas: 1, template: {image: a}}",
        "+spec: {replicas: 1, restartNonce: new, template: {image: a}}",
      ],
    ],
    [
      "at the end of braces",
      `${head}spec: {template: {image: a}, replicas: 1 }\n`,
      [
        "-spec: {template: {image: a}, replicas: 1 }",
        "+spec: {template: {image: a}, replicas: 1, restartNonce: new }",
      ],
    ],
    [
      "in a line of its own in braces",
      `${head}spec: {\n     replicas: 1, # one\n     template: {image: a}\n  }\n`,
      ["+     restartNonce: new,"],
    ],
    [
      "without a value in braces",
      `${head}spec: {restartNonce, replicas: 1, template: {image: a}}\n`,
      [
        "-spec: {restartNonce, replicas: 1, template: {image: a}}",
        "+spec: {restartNonce: new, replicas: 1, template: {image: a}}",
      ],
    ],
    [
      "above a mapping whose replicas are merged",
      `x-base: &base {replicas: 1}\n${group(`  <<: *base\n${template}`)}`,
      ["+  restartNonce: new"],
    ],
    [
      "into braces whose replicas are merged",
      `x-base: &base {replicas: 1}\n${head}spec: {<<: *base, template: {image: a}}\n`,
      [
        "-spec: {<<: *base, template: {image: a}}",
        "+spec: {restartNonce: new, <<: *base, template: {image: a}}",
      ],
    ],
    [
      "beside replicas that are an alias",
      `x-count: &count 1\n${group(`${template}  replicas: *count\n`)}`,
      ["+  restartNonce: new"],
    ],
    [
      "above a folded replicas",
      group(`  replicas: >-\n    1\n${template}`),
      ["+  restartNonce: new"],
    ],
    [
      "in a spec that has an anchor",
      `${head}spec: &s\n  replicas: 1\n${template}`,
      ["+  restartNonce: new"],
    ],
    [
      "with a dollar that is no variable before",
      group(`  restartNonce: a$$b\n  replicas: 1\n${template}`),
      ["-  restartNonce: a$$b", "+  restartNonce: new"],
    ],
  ])("%s", (_, text, expected) => {
    expect(changes(text, edit(restart))).toEqual(expected);
  });

  test("JSON stays JSON", () => {
    const document = {
      apiVersion: "wgctl.dev/v1",
      kind: "WorkerGroup",
      metadata: { name: "a", uid: someUid },
      spec: { replicas: 1, template: { image: "a" } },
    };
    const wanted = {
      ...document,
      spec: { replicas: 1, restartNonce: "new", template: { image: "a" } },
    };
    expect(changes(JSON.stringify(document, null, 2), edit(restart))).toEqual([
      '+    "restartNonce": "new",',
    ]);
    const result = editGroups("a.json", JSON.stringify(document), [edit(restart)]);
    expect(result.kind === "set" && JSON.parse(result.text)).toEqual(wanted);
  });
});

describe("what others may share, or what stands elsewhere, is not touched", () => {
  test.each<[string, string, string]>([
    [
      "an alias",
      `x-n: &n old\n${group(`  restartNonce: *n\n  replicas: 1\n${template}`)}`,
      "the value of restartNonce comes from an anchor, a tag or a comment",
    ],
    [
      "an anchor",
      group(`  restartNonce: &n old\n  replicas: 1\n${template}    hostname: *n\n`),
      "the value of restartNonce has an anchor, a tag or a comment",
    ],
    [
      "a merged value",
      `x-base: &base {restartNonce: old}\n${group(`  <<: *base\n  replicas: 1\n${template}`)}`,
      "restartNonce is merged from elsewhere",
    ],
    [
      "a spec from an anchor",
      `x-spec: &spec\n  replicas: 1\n${template}${head}spec: *spec\n`,
      "restartNonce belongs into a mapping that is an alias",
    ],
    [
      "a merged spec",
      `x-all: &all\n  spec:\n    replicas: 1\n    template: {image: a}\n<<: *all\n${head}`,
      "restartNonce cannot be set here without a change to something else",
    ],
    [
      "a variable",
      group(`  restartNonce: $NONCE\n  replicas: 1\n${template}`),
      "restartNonce comes from a variable",
    ],
    [
      "a block of text",
      group(`  restartNonce: |\n    old\n  replicas: 1\n${template}`),
      "restartNonce is a block of text",
    ],
    [
      "a list",
      group(`  restartNonce: [old]\n  replicas: 1\n${template}`),
      "restartNonce is no single value",
    ],
    [
      "a mapping that is used again",
      `${head}spec: &s\n  replicas: 1\n${template}x-copy: *s\n`,
      "restartNonce cannot be set here without a change to something else",
    ],
    ["a broken file", `${head}spec: [\n`, "never closed"],
    [
      "another group",
      head.replace(someUid, someUid.replace("a11", "b22")),
      "the group with the uid",
    ],
  ])("%s", (_, text, expected) => {
    const [message, ...others] = changes(text, edit(restart));
    expect(message).toContain(expected);
    expect(others).toEqual([]);
  });
});

describe("a key is taken out", () => {
  const out = { path: ["spec", "adopt"], below: "replicas", value: undefined } as const;
  test.each<[string, string, readonly string[]]>([
    [
      "with its list in lines",
      group(`  replicas: 1\n  adopt:\n    - a # why\n    - b\n${template}`),
      ["-  adopt:", "-    - a # why", "-    - b"],
    ],
    [
      "at the end, where no line break follows",
      group(`${template}  adopt: [a,\n    b] # why`),
      [
        "-    image: a",
        "-  adopt: [a,",
        "-    b] # why",
        "\\ No newline at end of file",
        "+    image: a",
        "\\ No newline at end of file",
      ],
    ],
    ["without a value", group(`  replicas: 1\n  adopt:\n${template}`), ["-  adopt:"]],
    [
      "first in braces",
      `${head}spec: {adopt: [a], replicas: 1, template: {image: a}}\n`,
      [
        "-spec: {adopt: [a], replicas: 1, template: {image: a}}",
        "+spec: {replicas: 1, template: {image: a}}",
      ],
    ],
    [
      "where it is merged from elsewhere",
      `x-base: &base {adopt: [a]}\n${group(`  <<: *base\n  replicas: 1\n${template}`)}`,
      ["adopt cannot be taken out here"],
    ],
    ["where it is not", group(`  replicas: 1\n${template}`), []],
  ])("%s", (_, text, expected) => {
    expect(changes(text, edit(out))).toEqual(expected);
  });

  test.each<[string, string, readonly string[]]>([
    [
      "in brackets and quotes",
      group(`  replicas: 1\n  adopt: ['a'] # why\n${template}`),
      ["-  adopt: ['a'] # why", "+  adopt: ['b', 'c'] # why"],
    ],
    [
      "in lines",
      group(`  replicas: 1\n  adopt:\n    - a\n${template}`),
      ["adopt is no list in brackets"],
    ],
  ])("or gets another list %s", (_, text, expected) => {
    expect(changes(text, edit({ ...out, value: ["b", "c"] }))).toEqual(expected);
  });
});

test("deletionTimestamp stands below the uid", () => {
  expect(changes(group(`  replicas: 1\n${template}`), edit(removal))).toEqual([
    "+  deletionTimestamp: now",
  ]);
});

test("several groups of one file, each in its own document; the lines are those of the new text", () => {
  const other = someUid.replace("a11", "b22");
  const one = group(`  replicas: 1\n${template}`);
  const text = `# first\n${one}---\n# second\n${one.replace(someUid, other)}`;
  const edits = [{ ...removal, uid: other }, edit(restart)];
  expect(changes(text, ...edits)).toEqual(["+  restartNonce: new", "+  deletionTimestamp: now"]);
  const result = editGroups("a.yaml", text, edits);
  expect(result).toMatchObject({ kind: "set", lines: [19, 9] });
});
