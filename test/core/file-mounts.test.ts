// What an edited file makes of a worker: old, for a reason of its own, as long as nothing else has changed.

import { expect, test } from "vitest";
import { mountFiles, type OpenFile } from "../../src/core/file-mounts.ts";
import { whyOld } from "../../src/core/plan/why.ts";
import { comparison, templateLabel } from "../../src/core/revision.ts";
import { sealOf } from "../../src/core/seal.ts";
import type { Template } from "../../src/core/template.ts";
import { buildFacts, buildLabels, buildWorker, IMAGE_ID } from "../support/build.ts";

const UID = "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11";

const file = (name: string, text: string, target = `/run/secrets/${name}`): OpenFile => ({
  ...{ file: `/srv/${name}`, target },
  bytes: Buffer.from(text),
});

const base: Template = { image: "mailer:1", environment: { A: "1" } };
const KEY = file("key", "hunter2");
const APP = file("app", "port = 1", "/app");

function templateWith(
  secrets: readonly OpenFile[],
  configs: readonly OpenFile[] = [],
  template = base,
): Template {
  return mountFiles(template, { secrets, configs }, UID).template;
}

function whyOf(made: Template, desired: Template): string {
  const compare = comparison({ template: desired, nonce: "", imageId: IMAGE_ID });
  const labels = buildLabels({ template: templateLabel(made), nonce: "" });
  const { differences } = compare(buildFacts(), labels);
  if (differences.length === 0) return "as desired";
  const { reason, paths } = whyOld(buildWorker({ differences }));
  return `${reason} ${paths.join(" ")}`;
}

test.each<[string, Template, Template, string]>([
  ["nothing", templateWith([KEY], [APP]), templateWith([KEY], [APP]), "as desired"],
  [
    "what a secret holds",
    templateWith([KEY, file("b", "")]),
    templateWith([file("key", "swordfish"), file("b", "")]),
    "file-changed secrets[/run/secrets/key]",
  ],
  [
    "what all of them hold",
    templateWith([KEY], [APP]),
    templateWith([file("key", "")], [file("app", "", "/app")]),
    "file-changed configs[/app] secrets[/run/secrets/key]",
  ],
  [
    "another field besides",
    templateWith([KEY]),
    templateWith([file("key", "x")], [], { ...base, environment: { A: "2" } }),
    "template-changed environment.A secrets[/run/secrets/key]",
  ],
  [
    "a file that is new",
    templateWith([KEY]),
    templateWith([KEY], [APP]),
    "template-changed configs[/app]",
  ],
  [
    "a file that is gone",
    templateWith([KEY, file("b", "")]),
    templateWith([KEY]),
    "template-changed secrets[/run/secrets/b]",
  ],
  [
    "the target",
    templateWith([KEY]),
    templateWith([file("key", "hunter2", "/key")]),
    "template-changed secrets[/key] secrets[/run/secrets/key]",
  ],
  [
    "the file's path, whatever it holds",
    templateWith([KEY]),
    templateWith([{ ...KEY, file: "/else/key", bytes: Buffer.from("x") }]),
    "template-changed secrets[/run/secrets/key]",
  ],
  [
    "what was a config and is a secret",
    templateWith([], [APP]),
    templateWith([APP]),
    "template-changed configs[/app] secrets[/app]",
  ],
])("%s differs", (_, made, desired, expected) => {
  expect(whyOf(made, desired)).toBe(expected);
});

test("the seal of a file is none of a text, though it be the same", () => {
  const { template, secrets } = mountFiles(base, { secrets: [KEY], configs: [] }, UID);
  const seal = template.secrets?.[0]?.content ?? "";
  expect(secrets?.knows(seal)).toBe(true);
  expect(seal).not.toBe(sealOf(UID, "hunter2"));
});

test("the order of files makes no difference to the label, and so to the revision", () => {
  const other = file("b", "");
  const labelOf = (...files: readonly OpenFile[]) => templateLabel(templateWith(files, files));
  expect(labelOf(KEY, other)).toBe(labelOf(other, KEY));
});

test("no digest of a file is the same in two groups", () => {
  const digestsIn = (uid: string) => {
    const { secrets, configs } = mountFiles(base, { secrets: [KEY], configs: [APP] }, uid).template;
    return [...(secrets ?? []), ...(configs ?? [])].map(({ content }) => content);
  };
  const [secret, config] = digestsIn("other");
  expect(digestsIn(UID)).toHaveLength(2);
  expect(digestsIn(UID)).not.toContain(secret);
  expect(digestsIn(UID)).not.toContain(config);
});
