// Sensitive values are found in somebody else's words, in whatever form those quote them.

import { expect, test } from "vitest";
import { type SensitivePlaces, sealsIn, sealTemplate } from "../../src/core/seal.ts";
import { Secrets } from "../../src/core/secrets.ts";
import type { Template } from "../../src/core/template.ts";

const secretsOf = (...values: readonly string[]) =>
  new Secrets(new Map(values.map((value) => [`sealed:${value}`, value])));

test.each<[string, readonly string[], string, string]>([
  ["in the middle", ["hunter2"], 'exec: "hunter2": not found', 'exec: "(sensitive)": not found'],
  ["every time", ["hunter2"], "hunter2 hunter2", "(sensitive) (sensitive)"],
  ["side by side", ["hunter2"], "hunter2hunter2", "(sensitive)"],
  ["one in another", ["hunter", "hunter2-long"], "a hunter2-long b", "a (sensitive) b"],
  ["one over another", ["abcdef", "defghi"], "x abcdefghi y", "x (sensitive) y"],
  ["with blanks joined", ["two  words"], "a two words b", "a (sensitive) b"],
  ["line by line", ["-----BEGIN\nabcd\r\nefgh\n"], "-----BEGIN abcd efgh", three("(sensitive)")],
  ["quoted", ['say "yes"\tnow'], 'exec: "say \\"yes\\"\\tnow"', 'exec: "(sensitive)"'],
  ["cut at the end", ["abcdefghijkl"], "exec: abcdef...", "exec: (sensitive)..."],
  ["cut, but too short to tell", ["abcdefghijkl"], "exec: abc...", "exec: abc..."],
  ["shorter than a word", ["abc", ""], "abc", "abc"],
  ["as a word of a pattern", ["a.+b"], "axxb a.+b", "axxb (sensitive)"],
  ["nowhere", ["hunter2"], "no such image", "no such image"],
])("a value %s", (_, values, text, shown) => {
  expect(secretsOf(...values).hide(text)).toBe(shown);
});

function three(word: string): string {
  return Array(3).fill(word).join(" ");
}

test("secrets of several groups leave nothing between them", () => {
  const all = Secrets.union([secretsOf("hunter"), secretsOf("hunter2-long")]);
  expect(all.hide("hunter2-long hunter2")).toBe("(sensitive) (sensitive)2");
  expect(Secrets.union([]).hide("hunter2")).toBe("hunter2");
});

const nowhere: SensitivePlaces = {
  environment: new Set(),
  labels: new Set(),
  command: new Set(),
  entrypoint: new Set(),
  healthcheck: new Set(),
};

test("a sealed text is found whole, around its placeholders, and by the value that is a part of it", () => {
  const template: Template = {
    image: "a",
    command: ["amqp://me:hunter2@queue/{{.Task.Slot}}-end"],
  };
  const places = { ...nowhere, command: new Set([0]) };
  const { secrets } = sealTemplate(template, places, "uid", ["hunter2"]);
  expect(secrets?.hide("at amqp://me:hunter2@queue/7-end!")).toBe("at (sensitive)7(sensitive)!");
  expect(secrets?.hide("the password hunter2 is wrong")).toBe("the password (sensitive) is wrong");
});

test("a seal is known to those who have what is behind it", () => {
  const template: Template = { image: "a", command: ["hunter2", "open"] };
  const { template: sealed, secrets } = sealTemplate(
    template,
    { ...nowhere, command: new Set([0]) },
    "uid",
  );
  const seals = sealsIn(JSON.stringify(sealed));
  expect(seals).toHaveLength(1);
  expect(seals.map((seal) => [secrets?.knows(seal), secretsOf("other").knows(seal)])).toEqual([
    [true, false],
  ]);
});
