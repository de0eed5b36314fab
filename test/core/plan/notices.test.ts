// What is said of a group and nothing is done about.

import { expect, test } from "vitest";
import type { Template } from "../../../src/core/template.ts";
import { exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { recordOf, remembering } from "./table.ts";

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

test.each<[string, "Report" | "Replace", boolean, number]>([
  ["one that had been well is told of where it is only to be reported", "Report", true, 1],
  ["not where it is replaced", "Replace", true, 0],
  ["nor one that never was, which has a deadline", "Report", false, 0],
])("unhealthy: %s", (_, onUnhealthy, wasAvailable, told) => {
  const sick = worker(1, { run: running(9, "unhealthy") });
  const request = remembering({ workers: [recordOf(sick, { wasAvailable })] });
  const planned = planFor([group({ replicas: 1, onUnhealthy })], snapshot([sick]), request);
  expect(planned.groups[0]?.notices).toHaveLength(told);
});

test("of one that leaves nothing is said", () => {
  const leaving = worker(2, { phase: "stopping", run: exited(1), facts: { networks: ["a", "b"] } });
  expect(planFor([group({ replicas: 1 })], snapshot([leaving])).groups[0]?.notices).toEqual([]);
});
