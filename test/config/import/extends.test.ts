// `extends`: the fields of both services, merged as Compose merges them, and what it cannot follow.

import { expect, test } from "vitest";
import { importText, problemLines, valueIn } from "./compose.ts";

/** Lines of the base, lines of the worker that extends it, and what comes of it, without image and networks. */
type Row = readonly [what: string, base: string, own: string, template: object];

const rows: readonly Row[] = [
  [
    "single values are replaced",
    "user: a\nworking_dir: /a",
    "user: b",
    { user: "b", working_dir: "/a" },
  ],
  ["commands are replaced", "command: [a, b]", "command: [c]", { command: ["c"] }],
  ["a text by a list", "entrypoint: a", "entrypoint: [b]", { entrypoint: ["b"] }],
  [
    "environments are joined by name",
    "environment: {A: 1, B: 2}",
    "environment: {B: 3, C: 4}",
    { environment: { A: "1", B: "3", C: "4" } },
  ],
  [
    "environments of two forms too",
    "environment: {A: 1, B: 2, N: }",
    "environment: [B=3, C=4]",
    { environment: ["A=1", "B=3", "N", "C=4"] },
  ],
  ["labels too", "labels: [a=1]", "labels: {a: 2, b: 3}", { labels: ["a=2", "b=3"] }],
  [
    "mounts are joined by target",
    'volumes: ["./a:/a", "./b:/b"]',
    'volumes: ["./c:/b", "./d:/d"]',
    { volumes: ["./a:/a", "./c:/b", "./d:/d"] },
  ],
  [
    "one text and a list are lists",
    "dns: 1.1.1.1",
    "dns: [8.8.8.8]",
    { dns: ["1.1.1.1", "8.8.8.8"] },
  ],
  [
    "lists are joined",
    "cap_add: [NET_ADMIN]",
    "cap_add: [CHOWN]",
    { cap_add: ["NET_ADMIN", "CHOWN"] },
  ],
  [
    "mappings are merged within",
    "healthcheck: {test: [CMD, a], interval: 5s}",
    "healthcheck: {test: [CMD, b], retries: 2}",
    { healthcheck: { test: ["CMD", "b"], interval: "5s", retries: "2" } },
  ],
  [
    "options of one logging driver are joined",
    "logging: {driver: json-file, options: {max-size: 1m}}",
    "logging: {options: {max-file: '2'}}",
    { logging: { driver: "json-file", options: { "max-size": "1m", "max-file": "2" } } },
  ],
  [
    "those of another one are not",
    "logging: {driver: json-file, options: {max-size: 1m}}",
    "logging: {driver: local}",
    { logging: { driver: "local" } },
  ],
  ["an empty field keeps what is below", "user: a", "user:", { user: "a" }],
];

const indented = (lines: string) => lines.replace(/^(?=.)/gm, "    ");

test.each(rows.map(([what, base, own, template]) => ({ what, base, own, template })))(
  "$what",
  ({ base, own, template }) => {
    const text = `services:\n  base:\n    image: app:1\n${indented(base)}\n  worker:\n    extends: base\n${indented(own)}\n`;
    const result = importText(text, { services: ["worker"] });
    const { image, networks, ...others } = Object(valueIn(result, "spec", "template"));
    expect({ image, networks }).toEqual({
      image: "app:1",
      networks: { shop_default: { aliases: ["worker"] } },
    });
    expect(others).toEqual(template);
  },
);

test("networks of both are joined, and what is waited for is told of both", () => {
  const result = importText(
    `services:
  base: {image: a, networks: [x], depends_on: [db]}
  worker: {extends: {service: base}, networks: {y: {aliases: [w]}}, depends_on: {kv: {condition: service_started}}}
  db: {image: a}
  kv: {image: a}
networks: {x: , y: }
`,
    { services: ["worker"] },
  );
  expect(valueIn(result, "spec", "template", "networks")).toEqual({
    shop_x: { aliases: ["worker"] },
    shop_y: { aliases: ["worker", "w"] },
  });
  expect(result.groups[0]?.notes).toContain(
    "depends_on: left out; the worker itself has to wait for db and kv, or try again",
  );
});

test("over several steps and files, paths begin where they were written", () => {
  const files = {
    "common/base.yaml": `services:
  base: {extends: {file: deep/root.yaml, service: root}, env_file: base.env, volumes: ["./a:/a", "named:/n"]}
`,
    "common/deep/root.yaml": `services:
  root: {image: app:1, env_file: [root.env], volumes: ["./b:/b", "/c:/c", "~/d:/d"], security_opt: ["seccomp:p.json"]}
`,
    "common/base.env": "",
    "common/deep/root.env": "",
    "common/deep/p.json": "{}",
  };
  const text = `services:
  worker: {extends: {file: common/base.yaml, service: base}, volumes: ["./own:/own"]}
volumes: {named: }
`;
  const template = valueIn(importText(text, { files }), "spec", "template");
  expect(template).toMatchObject({
    image: "app:1",
    env_file: ["./common/deep/root.env", "./common/base.env"],
    volumes: [
      "./common/deep/b:/b",
      "/c:/c",
      "~/d:/d",
      "./common/a:/a",
      "shop_named:/n",
      "./own:/own",
    ],
  });
});

test.each([
  ["worker: {extends: base}", '2:12 services.worker: there is no service "base" to extend'],
  ["worker: {extends: {file: a.yaml}}", "2:12 services.worker: extends names no service"],
  ["worker: {extends: {file: none.yaml, service: a}}", "1:1 : no such file or folder"],
  ["a: {extends: b}\n  b: {extends: a}", "2:7 services.a: the service a extends itself"],
  ["a: {extends: a}", "2:7 services.a: the service a extends itself"],
])("%s", (text, problem) => {
  const result = importText(`services:\n  ${text}\n`);
  expect(problemLines(result)).toContain(problem);
  expect(result.groups).toEqual([]);
});
