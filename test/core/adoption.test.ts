// Which slot an adopted container gets: that of the host port that it has.

import { expect, it } from "vitest";
import { bySlotOfPort } from "../../src/core/adoption.ts";
import { buildFacts } from "../support/build.ts";

const one = (id: string, ...hostPorts: readonly number[]) => buildFacts({ id, hostPorts });
const plain = buildFacts({ id: "plain" });

it.each([
  ["a range", "8201-8203", [one("c", 8203), one("a", 8201), one("b", 8202)], "a b c"],
  ["a placeholder", "820{{.Task.Slot}}", [one("b", 8202), one("a", 8201)], "a b"],
  ["one without a port takes what is left", "8201-8203", [plain, one("a", 8201)], "a plain"],
  ["one whose slot is beyond them, too", "8201-8209", [one("i", 8209), one("a", 8201)], "a i"],
  ["one port for all orders nothing", "8201", [one("b", 8202), one("a", 8201)], "b a"],
  ["no port that is published", undefined, [one("b", 8202), one("a", 8201)], "b a"],
])("%s", (_, published, containers, expected) => {
  const port = { target: 80, protocol: "tcp", ...(published && { published }) } as const;
  const ordered = bySlotOfPort(containers, { image: "mailer:1", ports: [port] });
  expect(ordered.map(({ id }) => id).join(" ")).toBe(expected);
});

it("one with ports of two slots stands in one", () => {
  const ports = ["8201-8203", "9201-9203"].map(
    (published) => ({ target: 80, protocol: "tcp", published }) as const,
  );
  const ordered = bySlotOfPort([one("x", 8202, 9201), one("y")], { image: "mailer:1", ports });
  expect(ordered.map(({ id }) => id)).toEqual(["x", "y"]);
});
