// Whatever a valid manifest looks like, an edit changes one key and nothing else, and can be made again. Judged by the
// YAML library alone, which the edit does not use for its own check in this form. WGCTL_FUZZ_SEED and WGCTL_FUZZ_RUNS
// repeat or widen a run.

import { structuredPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { editGroups, type GroupEdit } from "../../src/config/edit-groups.ts";
import { writeUids } from "../../src/config/uid.ts";
import { loadText } from "./manifests.ts";

const seed = Number(process.env["WGCTL_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const numRuns = Number(process.env["WGCTL_FUZZ_RUNS"] ?? 150);
console.info(`edit fuzz: seed ${seed}, ${numRuns} runs`);

const uidOf = (index: number) => `01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a${10 + index}`;

/** A comment or blanks, as they may follow a value. */
const tail = fc.constantFrom("", " ", "   # why", "\t# tab", " #");
const gap = fc.constantFrom(" ", "  ", "\t", " \t ");
const quote = fc.constantFrom("", "'", '"');
const oldValue = fc.constantFrom(
  undefined,
  "",
  "~",
  "null",
  "''",
  '""',
  "old",
  "'old'",
  '"old"',
  "0644",
  "1e21",
);

/** Lines between two entries of a mapping. */
const between = fc.constantFrom("", "\n", "# note\n", "    # deep\n\n", "  # note: {a\n");

const blockSpec = fc
  .record({
    indent: fc.constantFrom("  ", "    ", " "),
    gap,
    tail,
    quote,
    old: oldValue,
    between,
    entries: fc.shuffledSubarray(["replicas", "template", "nonce", "rollout"], { minLength: 4 }),
  })
  .map((form) => {
    const lines: Record<string, string> = {
      replicas: `${form.quote}replicas${form.quote}:${form.gap}2${form.tail}`,
      template: `template:${form.tail}\n${form.indent}  image:${form.gap}'a'\n${form.indent}  environment: [A=0644, "B=\\t#"]`,
      nonce:
        form.old === undefined ? "x-none: 1" : `restartNonce:${form.gap}${form.old}${form.tail}`,
      rollout: `rollout: {maxSurge: 1, maxUnavailable: 0}${form.tail}`,
    };
    const entries = form.entries.map((name) => `${form.indent}${lines[name]}\n${form.between}`);
    return `spec:\n${entries.join("")}`;
  });

const flowSpec = fc
  .record({
    old: oldValue,
    glue: fc.constantFrom(", ", ",\n  ", " ,\n    ", ",  # one: {\n  ", "\n  ,"),
    edge: fc.constantFrom("", " ", "\n  ", " # {\n  "),
    entries: fc.shuffledSubarray(["replicas", "template", "nonce"], { minLength: 3 }),
    isJson: fc.boolean(),
  })
  .map(({ old, glue, edge, entries, isJson }) => {
    const key = (name: string) => (isJson ? `"${name}"` : name);
    const nonce = old === undefined ? "" : `${key("restartNonce")}: ${old}`;
    const all: Record<string, string> = {
      replicas: `${key("replicas")}: 2`,
      template: `${key("template")}: {${key("image")}: "a"}`,
      nonce,
    };
    const written = entries.flatMap((name) => all[name] || []);
    return `spec: {${edge}${written.join(glue)}${edge}}\n`;
  });

const blockMetadata = fc
  .record({ gap, tail, quote, between, isUidFirst: fc.boolean() })
  .map((form) => ({
    withUid: (uid: string, name: string) => {
      const lines = [
        `  name:${form.gap}${form.quote}${name}${form.quote}${form.tail}\n`,
        uid === "" ? "" : `  uid:${form.gap}${form.quote}${uid}${form.quote}${form.tail}\n`,
      ];
      return `metadata:${form.tail}\n${(form.isUidFirst ? lines.reverse() : lines).join(form.between)}`;
    },
  }));

const flowMetadata = fc.constantFrom(", ", ",\n  ", ", # c\n  ").map((glue) => ({
  withUid: (uid: string, name: string) =>
    `metadata: {${[`name: ${name}`, uid === "" ? "" : `uid: ${uid}`, "labels: {a: b}"].filter((one) => one !== "").join(glue)}}\n`,
}));

const document = fc.record({
  metadata: fc.oneof(blockMetadata, flowMetadata),
  spec: fc.oneof(blockSpec, flowSpec),
  isSpecFirst: fc.boolean(),
});

const file = fc
  .record({
    documents: fc.array(document, { minLength: 1, maxLength: 3 }),
    newLine: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("", "\uFEFF"),
    isCut: fc.boolean(),
  })
  .map(({ documents, newLine, mark, isCut }) => ({
    count: documents.length,
    text: (hasUids: boolean) => {
      const whole = documents
        .map(({ metadata, spec, isSpecFirst }, index) => {
          const top = metadata.withUid(hasUids ? uidOf(index) : "", `g${index}`);
          const parts = isSpecFirst ? [spec, top] : [top, spec];
          return `apiVersion: wgctl.dev/v1\nkind: WorkerGroup\n${parts.join("")}`;
        })
        .join("---\n");
      return mark + (isCut ? whole.replace(/\n$/, "") : whole).replaceAll("\n", newLine);
    },
  }));

/** What the YAML library makes of a text, every scalar as it is written. */
function meaning(text: string): readonly unknown[] {
  const documents = parseAllDocuments(text, { schema: "failsafe" });
  if (!Array.isArray(documents)) return [];
  for (const { errors } of documents) expect(errors).toEqual([]);
  return documents.map((one) => one.toJS());
}

type Group = { readonly metadata: Record<string, unknown>; readonly spec: Record<string, unknown> };

function isGroup(value: unknown): value is Group {
  return value instanceof Object && "metadata" in value && "spec" in value;
}

function withKey(documents: readonly unknown[], index: number, { path, value }: GroupEdit) {
  return documents.map((one, at) => {
    if (at !== index || !isGroup(one)) return one;
    return { ...one, [path[0]]: { ...one[path[0]], [path[1]]: value } };
  });
}

function edited(text: string, edit: GroupEdit): string {
  const result = editGroups("a.yaml", text, [edit]);
  if (result.kind === "set") return result.text;
  throw new Error(`${JSON.stringify(result.problems)}\n${text}`);
}

const edits = [
  { path: ["spec", "restartNonce"], below: "replicas", value: "2026-11-29T12:00:00Z" },
  { path: ["metadata", "deletionTimestamp"], below: "uid", value: "2026-11-29T12:00:00Z" },
] as const;

test(
  "one key changes, everything else stays, and it can be changed again",
  { timeout: 300_000 },
  () =>
    fc.assert(
      fc.asyncProperty(file, fc.constantFrom(...edits), fc.nat(), async (made, change, pick) => {
        const text = made.text(true);
        const index = pick % made.count;
        const edit = { ...change, uid: uidOf(index) };
        const once = edited(text, edit);
        expect(meaning(once)).toEqual(withKey(meaning(text), index, edit));
        expect(changedLines(text, once).filter((sign) => sign === "+")).toHaveLength(1);
        expect(changedLines(text, once).length).toBeLessThanOrEqual(2);
        const { problems } = await loadText(once);
        expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
        const again = edited(once, { ...edit, value: "2027-01-01T00:00:00Z" });
        expect(again).toBe(once.replace(edit.value, "2027-01-01T00:00:00Z"));
      }),
      { seed, numRuns },
    ),
);

const ids = [idOf("a"), idOf("b")];
function idOf(digit: string): string {
  return digit.repeat(64);
}

test(
  "a list is written in, and taking it out leaves the file as it was",
  { timeout: 300_000 },
  () =>
    fc.assert(
      fc.asyncProperty(file, fc.nat(), async (made, pick) => {
        const text = made.text(true);
        const index = pick % made.count;
        const edit = { path: ["spec", "adopt"], below: "replicas", uid: uidOf(index) } as const;
        const first = { ...edit, value: ids.slice(0, 1) };
        const once = edited(text, first);
        expect(meaning(once)).toEqual(withKey(meaning(text), index, first));
        const { groups, problems } = await loadText(once);
        expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(groups.find(({ identity }) => identity.uid === edit.uid)).toMatchObject({
          adopt: first.value,
        });
        const more = edited(once, { ...edit, value: ids });
        expect(meaning(more)).toEqual(withKey(meaning(text), index, { ...edit, value: ids }));
        expect(edited(more, { ...edit, value: undefined })).toBe(text);
        expect(edited(text, { ...edit, value: undefined })).toBe(text);
      }),
      { seed, numRuns },
    ),
);

/** `+` for each line that came, `-` for each that went; how the last line ends is not counted. */
function changedLines(before: string, after: string): readonly string[] {
  const lines = (text: string) => `${text.replaceAll("\r\n", "\n").replace(/\n$/, "")}\n`;
  const { hunks } = structuredPatch("", "", lines(before), lines(after), "", "", { context: 0 });
  return hunks.flatMap((hunk) => hunk.lines.map((line) => line.charAt(0)));
}

test("a uid is written into every document, and nothing else", { timeout: 300_000 }, () =>
  fc.assert(
    fc.property(file, (made) => {
      const text = made.text(false);
      let next = 0;
      const result = writeUids("a.yaml", text, () => uidOf(next++));
      if (result.kind === "failed") throw new Error(`${JSON.stringify(result.problems)}\n${text}`);
      const wanted = meaning(text).map((one, index) =>
        isGroup(one) ? { ...one, metadata: { ...one.metadata, uid: uidOf(index) } } : one,
      );
      expect(meaning(result.text)).toEqual(wanted);
    }),
    { seed, numRuns },
  ),
);
