// What restart and delete write for which group, and what they refuse.

import { expect, it } from "vitest";
import { nextNonce, planByHand } from "../../src/app/by-hand.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import { buildDesired, buildIdentity } from "../support/build.ts";

const NOW = Date.parse("2026-11-29T12:00:00.789Z");

function group(name: string, file: string, deletionTimestamp?: string): DesiredGroup {
  const desired = buildDesired({}, buildIdentity({ uid: name, name }));
  return { ...desired, place: { ...desired.place, file }, deletionTimestamp };
}

const shown = (verb: "restart" | "delete", ...groups: readonly DesiredGroup[]) => {
  const { manifests, settled } = planByHand(verb, groups, NOW);
  return [
    ...manifests.map(
      ({ file, edits }) =>
        `${file}: ${edits.map(({ uid, path, value }) => `${uid} ${path.join(".")} ${value}`).join(", ")}`,
    ),
    ...settled.map(({ identity }) => `${identity.name} is settled`),
  ];
};

it("restart sets the nonce of each group, file by file", () => {
  expect(
    shown("restart", group("a", "1.yaml"), group("b", "2.yaml"), group("c", "1.yaml")),
  ).toEqual([
    "1.yaml: a spec.restartNonce 2026-11-29T12:00:00Z, c spec.restartNonce 2026-11-29T12:00:00Z",
    "2.yaml: b spec.restartNonce 2026-11-29T12:00:00Z",
  ]);
});

it("delete sets the timestamp where there is none yet, whatever its time", () => {
  const leaving = group("b", "1.yaml", "2099-01-01T00:00:00Z");
  expect(shown("delete", group("a", "1.yaml"), leaving)).toEqual([
    "1.yaml: a metadata.deletionTimestamp 2026-11-29T12:00:00Z",
    "b is settled",
  ]);
});

it.each([
  ["restart", group("a", "1.yaml", "2026-01-01T00:00:00Z"), /a is being deleted/],
  ["restart", group("a", "<stdin>"), /a came from standard input/],
  ["delete", group("a", "<stdin>"), /a came from standard input/],
] as const)("%s refuses what cannot be edited: %#", (verb, one, words) => {
  expect(() => planByHand(verb, [one], NOW)).toThrow(words);
});

it.each([
  ["none before", "", "2026-11-29T12:00:00Z"],
  ["an older one", "2026-11-28T12:00:00Z", "2026-11-29T12:00:00Z"],
  ["one of the same second", "2026-11-29T12:00:00Z", "2026-11-29T12:00:01Z"],
  ["one ahead, from another clock", "2026-11-29T12:59:59Z", "2026-11-29T13:00:00Z"],
  ["a word of the user's own", "again", "2026-11-29T12:00:00Z"],
  ["a date, which is a time to some", "2026-11-30", "2026-11-29T12:00:00Z"],
])("the nonce is a new one after %s", (_, old, expected) => {
  expect(nextNonce(old, NOW)).toBe(expected);
});
