// Sensitive values leave a template and come back whole, and nothing shows them on the way.

import { inspect } from "node:util";
import { expect, test } from "vitest";
import {
  hideSeals,
  revealTemplate,
  type SensitivePlaces,
  sealTemplate,
} from "../../src/core/seal.ts";
import type { Template } from "../../src/core/template.ts";

const template: Template = {
  image: "a:hunter2",
  command: ["run", "hunter2"],
  entrypoint: ["hunter2"],
  environment: { OPEN: "x", TOKEN: "hunter2", OTHER: "hunter2" },
  labels: { a: "b", token: "hunter2" },
  healthcheck: { test: ["CMD", "check", "hunter2"], retries: 3 },
};
const places: SensitivePlaces = {
  environment: new Set(["TOKEN", "OTHER", "NOT_THERE"]),
  labels: new Set(["token"]),
  command: new Set([1]),
  entrypoint: new Set([0]),
  healthcheck: new Set([2]),
};

test("only sensitive places are sealed, and revealing gives the template back", () => {
  const sealed = sealTemplate(template, places, "uid-1");
  const { image: _, ...rest } = sealed.template;
  expect(JSON.stringify(rest)).not.toContain("hunter2");
  expect(sealed.template).toMatchObject({
    image: "a:hunter2",
    command: ["run", expect.stringMatching(/^sealed:[0-9a-f]{32}$/)],
    environment: { OPEN: "x" },
    healthcheck: { retries: 3 },
  });
  expect(revealTemplate(sealed.template, sealed.secrets)).toEqual(template);
});

test("equal values of one group have equal seals, those of two groups have not", () => {
  const one = sealTemplate(template, places, "uid-1").template;
  const other = sealTemplate(template, places, "uid-2").template;
  expect(one.environment?.["TOKEN"]).toBe(one.environment?.["OTHER"]);
  expect(one.environment?.["TOKEN"]).not.toBe(other.environment?.["TOKEN"]);
});

test("secrets show nowhere", () => {
  const { secrets } = sealTemplate(template, places, "uid-1");
  for (const text of [
    JSON.stringify(secrets),
    inspect(secrets, { showHidden: true, depth: 9 }),
    String(secrets),
  ])
    expect(text).not.toContain("hunter2");
});

test("a template without sensitive places has no secrets", () => {
  const none: SensitivePlaces = {
    environment: new Set(),
    labels: new Set(),
    command: new Set(),
    entrypoint: new Set(),
    healthcheck: new Set(),
  };
  expect(sealTemplate(template, none, "uid")).toEqual({ template, secrets: undefined });
  expect(revealTemplate(template, undefined)).toBe(template);
});

test("a seal is no text for a person", () => {
  const { template: sealed } = sealTemplate(template, places, "uid-1");
  expect(hideSeals(`TOKEN: ${sealed.environment?.["TOKEN"]}`, "(sensitive)")).toBe(
    "TOKEN: (sensitive)",
  );
});
