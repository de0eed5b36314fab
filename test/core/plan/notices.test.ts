// What is said of a group and nothing is done about.

import { expect, test } from "vitest";
import type { Template } from "../../../src/core/model.ts";
import { exited, group, planFor, snapshot, worker } from "../../support/scene.ts";

test.each<[string, Partial<Template>, readonly string[], readonly string[]]>([
  ["as declared", { networks: { shop: {} } }, ["shop"], []],
  ["one more than declared", { networks: { shop: {} } }, ["shop", "attic"], ["attic"]],
  ["none declared, and the engine's own, whatever it is called", {}, ["podman"], []],
  ["none declared, and one besides the engine's own", {}, ["bridge", "shop"], ["shop"]],
  ["two more", { network_mode: "bridge" }, ["zoo", "bridge", "attic"], ["attic, zoo"]],
])("networks: %s", (_, template, networks, extra) => {
  const seen = snapshot([worker(1, { spec: { template }, facts: { networks } })]);
  const planned = planFor([group({ replicas: 1, template })], seen);
  expect(planned.actions).toEqual([]);
  expect(planned.groups[0]?.converged).toBe(true);
  expect(planned.groups[0]?.notices).toEqual(
    extra.map((names) => expect.stringContaining(`is also on network ${names}, which`)),
  );
});

test("of one that leaves nothing is said", () => {
  const leaving = worker(2, { phase: "stopping", run: exited(1), facts: { networks: ["a", "b"] } });
  expect(planFor([group({ replicas: 1 })], snapshot([leaving])).groups[0]?.notices).toEqual([]);
});
