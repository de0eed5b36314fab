// What placeholders become, where, and what is left alone.

import { expect, test } from "vitest";
import {
  expandTemplate,
  expandText,
  type PlaceholderValues,
  parsePlaceholders,
} from "../../src/core/placeholders.ts";
import type { Template } from "../../src/core/template.ts";

const values: PlaceholderValues = {
  slot: 3,
  group: "mailer",
  uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11",
  taskId: "task-7",
  workerName: "mailer-3-1f2e3d4c",
};

test.each([
  ["", ""],
  ["plain", "plain"],
  ["{{.Task.Slot}}", "3"],
  ["{{ .Task.Slot }}", "3"],
  ["a-{{.Service.Name}}-{{.Task.Slot}}-b", "a-mailer-3-b"],
  ["{{.Service.ID}}", values.uid],
  ["{{.Task.ID}}/{{.Task.Name}}", "task-7/mailer-3-1f2e3d4c"],
  ['{{"{{"}}.Names{{"}}"}}', "{{.Names}}"],
  ['{{ "a\\"b" }}', 'a"b'],
  ["{{.Unknown}}", "{{.Unknown}}"],
  ["{{.Task.Slot", "{{.Task.Slot"],
  ["{{.Task.{Slot}}", "{{.Task.{Slot}}"],
  ["{.Task.Slot}", "{.Task.Slot}"],
  ["{{{.Task.Slot}}}", "{{{.Task.Slot}}}"],
  ["{{.task.slot}}", "{{.task.slot}}"],
])("%j becomes %j", (text, expected) => {
  expect(expandText(text, values)).toBe(expected);
});

test("what is between braces and not known is its own piece", () => {
  expect(parsePlaceholders("a{{.X}}b{{")).toEqual([
    { kind: "text", text: "a" },
    { kind: "unknown", text: "{{.X}}" },
    { kind: "text", text: "b" },
    { kind: "unknown", text: "{{" },
  ]);
});

test("a template is filled in where section 2 allows it, and nowhere else", () => {
  const slot = "x{{.Task.Slot}}";
  const template: Template = {
    image: slot,
    command: [slot],
    entrypoint: [slot],
    environment: { [slot]: slot },
    labels: { [slot]: slot },
    volumes: [
      { type: "volume", source: slot, target: slot },
      { type: "volume", target: "/t" },
    ],
    ports: [
      { target: 80, published: "8{{.Task.Slot}}", protocol: "tcp" },
      { target: 81, protocol: "tcp" },
      { target: 82, published: "5200-5209", protocol: "tcp" },
    ],
    devices: [{ source: slot, target: slot, permissions: slot }],
    device_requests: [
      { device_ids: [slot, "0-9", "GPU-0-9", "0:1"], capabilities: [slot], options: { a: slot } },
      { driver: slot, count: 1, capabilities: [] },
    ],
    networks: { [slot]: { aliases: [slot] } },
    hostname: slot,
    security_opt: [slot],
    extra_hosts: { [slot]: [slot] },
    stop_signal: slot,
    healthcheck: { test: ["CMD", slot] },
  };
  expect(expandTemplate(template, values)).toEqual({
    ...template,
    command: ["x3"],
    entrypoint: ["x3"],
    environment: { [slot]: "x3" },
    labels: { [slot]: "x3" },
    volumes: [
      { type: "volume", source: "x3", target: slot },
      { type: "volume", target: "/t" },
    ],
    ports: [
      { target: 80, published: "83", protocol: "tcp" },
      { target: 81, protocol: "tcp" },
      { target: 82, published: "5202", protocol: "tcp" },
    ],
    devices: [{ source: "x3", target: slot, permissions: slot }],
    device_requests: [
      { device_ids: ["x3", "2", "GPU-0-9", "0:1"], capabilities: [slot], options: { a: slot } },
      { driver: slot, count: 1, capabilities: [] },
    ],
    hostname: "x3",
  });
});

test("what is not set stays unset", () => {
  expect(expandTemplate({ image: "a" }, values)).toEqual({ image: "a" });
});
