// `spec.adopt`: whole ids, each once, each in one group, and no part of what a spec is compared by.

import { expect, test } from "vitest";
import { loadText, manifest } from "./manifests.ts";

const A = "a".repeat(64);
const B = "0123456789abcdef".repeat(4);
const spec = (adopt: string) => `replicas: 2\nadopt: ${adopt}`;
const otherUid = "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2b22";

async function messages(text: string): Promise<readonly string[]> {
  const { problems } = await loadText(text);
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

test("ids are kept in their order, beside the spec", async () => {
  const [group] = (await loadText(manifest("", { spec: spec(`[${B}, ${A}]`) }))).groups;
  const [without] = (await loadText(manifest("", { spec: "replicas: 2" }))).groups;
  expect(group).toEqual({ ...without, adopt: [B, A] });
  expect(group).toHaveProperty("spec.replicas", 2);
});

test.each(["[]", "", "~"])("nothing is adopted by %j", async (adopt) => {
  const [group] = (await loadText(manifest("", { spec: spec(adopt) }))).groups;
  expect(group?.kind).toBe("valid");
  expect(group).not.toHaveProperty("adopt");
});

test.each<[string, string, readonly string[]]>([
  [
    "the beginning of an id",
    "[0123456789ab]",
    ['spec.adopt[0]: "0123456789ab" is no whole container id'],
  ],
  ["a name", "[shop-worker-1]", ['spec.adopt[0]: "shop-worker-1" is no whole container id']],
  [
    "one twice",
    `[${A}, ${B}, ${A}]`,
    ["spec.adopt[2]: the container of the first entry once more"],
  ],
])("%s is wrong", async (_, adopt, expected) => {
  expect(await messages(manifest("", { spec: spec(adopt) }))).toEqual(expected);
});

test("no container has two owners, wherever they are declared", async () => {
  const one = manifest("", { spec: spec(`[${A}]`) });
  const other = manifest("", { name: "other", uid: otherUid, spec: spec(`[${B}, ${A}]`) });
  const { complete, problems } = await loadText(`${one}---\n${other}`);
  expect(complete).toBe(false);
  expect(problems.map(({ message }) => message)).toEqual([
    "the container aaaaaaaaaaaa is adopted by mailer already (<stdin>:8:3)",
  ]);
});
