// Which word was probably meant, and when better none is named.

import { expect, test } from "vitest";
import { hintFor, suggest } from "../../src/config/suggest.ts";

const known = ["image", "environment", "healthcheck", "maxSurge", "maxUnavailable", "restart"];

test.each([
  ["imge", "image"],
  ["iamge", "image"],
  ["Image", "image"],
  ["enviroment", "environment"],
  ["health_check", "healthcheck"],
  ["max-surge", "maxSurge"],
  ["maxUnavailble", "maxUnavailable"],
  ["restat", "restart"],
  ["img", undefined],
  ["volumes", undefined],
  ["", undefined],
  ["x".repeat(5000), undefined],
])("%s: %s", (word, meant) => {
  expect(suggest(word, known)).toBe(meant);
});

test("few words are all named, many are not", () => {
  expect(hintFor("x", ["a", "bcd"])).toBe("write one of a, bcd");
  expect(hintFor("xyz", known, 3)).toBeUndefined();
});
