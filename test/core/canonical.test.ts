// One text for one meaning, and where two meanings part.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, differingPaths, type Json } from "../../src/core/canonical.ts";

test.each<[Json, string]>([
  [{ b: 1, a: { d: 1, c: [2, { z: 1, y: 2 }] } }, '{"a":{"c":[2,{"y":2,"z":1}],"d":1},"b":1}'],
  [{ a: undefined, b: null }, '{"b":null}'],
  [["b", "a"], '["b","a"]'],
  [JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'), '{"__proto__":{"c":2,"d":1},"b":1}'],
  ["text", '"text"'],
  [null, "null"],
])("%j is written as %s", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each<[Json, Json, readonly string[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, ["a"]],
  [{ a: { b: 1, c: 2 } }, { a: { b: 2, c: 2 } }, ["a.b"]],
  [{ a: 1 }, {}, ["a"]],
  [{ a: { b: 1 } }, {}, ["a"]],
  [{}, { b: 1, a: 1 }, ["a", "b"]],
  [{ a: [1, 2] }, { a: [2, 1] }, ["a"]],
  [{ a: [1] }, { a: { 0: 1 } }, ["a"]],
  [{ a: undefined }, {}, []],
  [{ a: null }, {}, []],
  [null, { a: 1 }, [""]],
])("%j and %j differ at %j", (one, other, paths) => {
  expect(differingPaths(one, other)).toEqual(paths);
  expect(differingPaths(other, one)).toEqual(paths);
});

const json = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));

test("the order of keys never matters, and the text reads back as what it was", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(value);
      expect(differingPaths(value, turned)).toEqual([]);
    }),
    { seed: 1, numRuns: 200 },
  );
});
