// Which services are imported when none are named, and why the others are not.

import { expect, test } from "vitest";
import { importText, problemLines } from "./compose.ts";

const services = (result: ReturnType<typeof importText>) =>
  result.groups.flatMap((group) => group.services);

test.each<[what: string, text: string, chosen: string, leftOut: Readonly<Record<string, string>>]>([
  [
    "who is waited for is not",
    "worker: {image: a, depends_on: [db, kv]}\n  db: {image: b}\n  kv: {image: c}",
    "worker",
    { db: "worker waits for it", kv: "worker waits for it" },
  ],
  [
    "who is waited for under a condition is not",
    "worker: {image: a, depends_on: {db: {condition: service_started}}}\n  db: {image: b}",
    "worker",
    { db: "worker waits for it" },
  ],
  [
    "who is reached from outside is not",
    'worker: {image: a}\n  web: {image: b, ports: ["127.0.0.1:80:80"]}\n  api: {image: b, ports: [{target: 80, published: "81"}]}\n  own: {image: b, ports: ["80"]}',
    "worker own",
    { web: "it is reached at host port 80", api: "it is reached at host port 81" },
  ],
  ["unless all are", 'queue: {image: a, ports: ["80:80"]}', "queue", {}],
  [
    "unless all others are",
    'queue: {image: a, ports: ["80:80"], depends_on: [db]}\n  db: {image: b}',
    "queue",
    { db: "queue waits for it" },
  ],
  [
    "what others merge is not",
    "base: &b {image: a, restart: always}\n  jobs: {<<: *b, command: x}\n  mail: {<<: *b, command: y}",
    "jobs mail",
    { base: "jobs and mail are built on it" },
  ],
  [
    "what others extend is not",
    "base: {image: a}\n  jobs: {extends: {service: base}, command: x}",
    "jobs",
    { base: "jobs is built on it" },
  ],
  [
    "what runs something is, whoever merges it",
    "mail: &b {image: a, command: x}\n  jobs: {<<: *b, command: y}",
    "mail jobs",
    {},
  ],
  [
    "copies are, whatever they publish and merge",
    'node1: &n {image: a, ports: ["81:80"]}\n  node2: {<<: *n, ports: ["82:80"]}\n  web: {image: b, ports: ["80:80"]}',
    "node1 node2",
    { web: "it is reached at host port 80" },
  ],
  [
    "of another image they are no copies",
    'a1: {image: a, ports: ["81:80"]}\n  a2: {image: b, ports: ["82:80"]}\n  c: {image: c}',
    "c",
    { a1: "it is reached at host port 81", a2: "it is reached at host port 82" },
  ],
  [
    "what is in a profile is not",
    "a: {image: a}\n  b: {image: a, profiles: [x]}\n  c: {image: a, profiles: [x, y]}",
    "a",
    { b: "only in the profile x", c: "only in the profiles x and y" },
  ],
])("%s", (_, text, chosen, leftOut) => {
  const result = importText(`services:\n  ${text}\n`);
  expect(problemLines(result)).toEqual([]);
  expect(services(result).join(" ")).toBe(chosen);
  expect(
    Object.fromEntries(result.leftOut.map(({ service, reason }) => [service, reason])),
  ).toEqual(leftOut);
});

test("services that are named are imported, whatever they are, in the order of the file", () => {
  const text = "services:\n  a: {image: a, profiles: [p]}\n  b: {image: a}\n  c: {image: a}\n";
  const result = importText(text, { services: ["c", "a"] });
  expect(services(result)).toEqual(["a", "c"]);
  expect(result.leftOut).toEqual([]);
  expect(result.groups[0]?.notes).toContain("profiles: left out; groups are chosen with --group");
});

test.each([
  [{ services: ["workr"] }, 'there is no service "workr"', 'did you mean "worker"?'],
  [{ images: { workr: "a" } }, 'there is no service "workr"', 'did you mean "worker"?'],
])("a name that is no service's imports nothing: %j", (request, message, hint) => {
  const result = importText("services:\n  worker: {image: a}\n", request);
  expect(result.problems).toMatchObject([{ message, hint }]);
  expect(result.groups).toEqual([]);
});
