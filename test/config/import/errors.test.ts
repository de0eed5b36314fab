// What is wrong with a compose file is an error in its place, and nothing is imported.

import { expect, test } from "vitest";
import { importText, problemLines } from "./compose.ts";

test.each([
  ["", "1:1 : a compose file without services"],
  ["a", "1:1 : no compose file"],
  ["name: a\n", "1:1 services: a compose file without services"],
  ["services:\n", "1:1 services: a compose file without services"],
  ["services: {}\n", "1:1 services: a compose file without services"],
  ["services: [a]\n", "1:1 services: a compose file without services"],
  ["servces: {}\n", '1:1 servces: Compose knows no field "servces" here'],
  ["services:\n  a:\n", "2:3 services.a: the service a is no mapping"],
  ["services:\n  a: b\n", "2:3 services.a: the service a is no mapping"],
  [
    "services:\n  a: {image: a, comand: b}\n",
    '2:17 services.a.comand: Compose knows no field "comand" here',
  ],
  ["services:\n  a: {image: a}\n---\nb: c\n", "4:1 : a second document"],
  ["services:\n  a:\n\tb: c\n", "3:1 : a tab in the indentation"],
  [
    "x: &x {a: 1}\ny: &y {b: 1}\nservices:\n  a:\n    <<: *x\n    <<: *y\n",
    "6:5 : a second `<<` in one mapping",
  ],
  ["services:\n  a: {image: a}\n  a: {image: b}\n", '3:3 : the key "a" stands here twice'],
  [
    "services:\n  a: {image: a, networks: [x]}\n",
    '2:17 services.a.networks: a names "x", which is not among the networks of this file',
  ],
  [
    "services:\n  a: {image: a, depends_on: [b]}\n",
    '2:17 services.a.depends_on: a names "b", which is not among the services of this file',
  ],
  [
    "services:\n  a: {image: a, secrets: [x]}\n",
    '2:17 services.a.secrets: a names "x", which is not among the secrets of this file',
  ],
  [
    "services:\n  a: {image: a, configs: [{source: x}]}\nconfigs: {y: {file: y}}\n",
    '2:17 services.a.configs: a names "x", which is not among the configs of this file',
  ],
  [
    "name: Two Words\nservices: {a: {image: a}}\n",
    '1:1 name: "Two Words" cannot be the name of a Compose project',
  ],
  [
    "services:\n  a_b: {image: a}\n  a-b: {image: b}\n",
    "2:3 services.a_b: its group would be named a-b, as would that of a-b",
  ],
])("%j", (text, problem) => {
  const result = importText(text);
  expect(problemLines(result)).toContain(problem);
  expect(result.groups).toEqual([]);
});

test("a file that cannot be read is told", () => {
  const { problems } = importText("", { path: "/srv/shop/none.yaml" });
  expect(problems).toMatchObject([
    { place: { file: "none.yaml" }, message: "no such file or folder" },
  ]);
});

test("what may be missing is missed by nobody", () => {
  const text =
    "services:\n  a: {image: a, depends_on: {b: {required: false, condition: service_started}}}\n";
  expect(problemLines(importText(text))).toEqual([]);
});

test("x- fields at the top may hold anything", () => {
  const text = "x-a: [1]\nversion: '3'\nservices: {a: {image: a}}\n";
  expect(problemLines(importText(text))).toEqual([]);
});
