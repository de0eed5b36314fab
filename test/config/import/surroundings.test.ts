// What an import says besides the groups: names of the project, paths, variables, files and networks that it needs.

import { expect, test } from "vitest";
import { FOLDER, type Import, importText, valueIn, withWorker } from "./compose.ts";

const worker = (lines: string, request: Import = {}, rest = "") =>
  importText(withWorker(lines, rest), { services: ["worker"], ...request });

test.each<[what: string, rest: string, request: Import, network: string]>([
  ["the folder", "", {}, "shop_default"],
  [
    "a folder that is no name",
    "",
    {
      path: "/srv/My Shop.d/compose.yaml",
      files: { "/srv/My Shop.d/compose.yaml": withWorker("") },
    },
    "myshopd_default",
  ],
  ["the file", "name: post", {}, "post_default"],
  ["the file, by a variable's default", `name: \${P:-post}`, {}, "post_default"],
  [".env", "name: post", { files: { ".env": "COMPOSE_PROJECT_NAME=env" } }, "env_default"],
  [
    "the shell",
    "name: post",
    { shellProjectName: "shell", files: { ".env": "COMPOSE_PROJECT_NAME=env" } },
    "shell_default",
  ],
  ["the option", "name: post", { projectName: "opt", shellProjectName: "shell" }, "opt_default"],
])("the project's name comes from %s", (_, rest, request, network) => {
  const result = worker("", request, rest);
  expect(Object.keys(Object(valueIn(result, "spec", "template", "networks")))).toEqual([network]);
});

const NAMED = { "a.env": "", "s.txt": "" };

test.each<[written: string, folder: string, seen: string]>([
  ["./a", FOLDER, "./a"],
  ["./a", "/srv/shop/groups", "../a"],
  ["../a", "/srv/shop/groups", "../../a"],
  ["./groups/a", "/srv/shop/groups", "../groups/a"],
  ["./a", "/srv", "./shop/a"],
  ["/a", "/srv/shop/groups", "/a"],
  ["~/a", "/srv/shop/groups", "~/a"],
  [".", "/srv/shop/groups", ".."],
  [`./\${D}/a`, "/srv/shop/groups", `../\${D}/a`],
  [`\${D:-./a}`, "/srv/shop/groups", `\${D:-../a}`],
  [`\${D-./a}/b`, "/srv/shop/groups", `\${D-../a}/b`],
  [`\${D:-/a}`, "/srv/shop/groups", `\${D:-/a}`],
  ["$D", "/srv/shop/groups", "$D"],
])("the folder %s is seen from %s as %s", (written, folder, seen) => {
  const long = `{type: bind, source: '${written}', target: /l}`;
  const result = worker(`volumes: ['${written}:/s', ${long}]`, { folder });
  expect(valueIn(result, "spec", "template", "volumes")).toEqual([
    `${seen}:/s`,
    { type: "bind", source: seen, target: "/l" },
  ]);
});

test("files of variables are seen from the manifest's folder, in every form", () => {
  const request = { folder: "/srv/shop/groups", files: NAMED };
  const forms = ["a.env", "[a.env, {path: ./a.env, required: false}]"];
  const seen = forms.map((form) =>
    valueIn(worker(`env_file: ${form}`, request), "spec", "template", "env_file"),
  );
  expect(seen).toEqual(["../a.env", ["../a.env", { path: "../a.env", required: "false" }]]);
});

test("a path that begins with a variable is told of, unless both folders are one", () => {
  const lines = "volumes: ['$DATA/a:/a', '$DATA/b:/b']";
  const text =
    "paths: a relative value of $DATA begins at this manifest's folder, in Compose at ..";
  expect(worker(lines, { folder: "/srv/shop/groups" }).groups[0]?.notes).toContain(text);
  expect(worker(lines).groups[0]?.notes.join()).not.toContain("paths:");
});

const VARIABLES = `environment: ['A=$A', 'B=\${B:-b}', 'C=\${C:?}', 'D=$$D']`;
const MUST_BE =
  "must be set: in .env beside wgctl.yaml, or in the shell and named with --env or spec.env";

test.each<[what: string, lines: string, env: string | undefined, words: readonly string[]]>([
  [
    "none that Compose knows",
    VARIABLES,
    undefined,
    [`A and C ${MUST_BE}; Compose takes one of A that is not set for empty, wgctl does not`],
  ],
  [
    "some from .env",
    VARIABLES,
    "A=1\nB=2\nOTHER=3\n",
    [
      "A and B get their values from .env in Compose; wgctl reads .env beside wgctl.yaml, or this one with --env-file .env",
      `C ${MUST_BE}`,
    ],
  ],
  ["none at all", "environment: ['D=$$D']", "A=1\n", []],
  [
    "only such as are empty to Compose",
    "user: $U",
    undefined,
    [`U ${MUST_BE}; Compose takes one that is not set for empty, wgctl does not`],
  ],
])("variables: %s", (_, lines, env, words) => {
  const files: Record<string, string> = env === undefined ? {} : { ".env": env };
  const said = worker(lines, { files }).words;
  expect(said.filter((word) => /\bset\b|--env/.test(word))).toEqual(words);
});

test.each<[words: string, lines: string, rest: string, files: readonly string[]]>([
  [
    "the network shop_default must be there: docker compose up makes it, or docker network create",
    "",
    "",
    [],
  ],
  [
    "the networks shop_a and b must be there: docker compose up makes them, or docker network create",
    "networks: [a, b]",
    "networks: {a: , b: {name: b}}",
    [],
  ],
  [
    "the volume v has a driver or options of its own: make it with docker compose or docker volume create first",
    'volumes: ["v:/v"]',
    "volumes: {v: {driver_opts: {type: nfs}}}",
    [],
  ],
  ["a.env is not here: the manifest is not valid before", "env_file: a.env", "", []],
  [
    "include is not followed: import from those files by themselves, with the same --project-name",
    "",
    "include: [other.yaml]",
    [],
  ],
  [
    "compose.override.yaml is not read, which Compose merges in: look what it changes",
    "",
    "",
    ["compose.override.yaml"],
  ],
  [
    "before the first apply, docker compose stop worker, or have wgctl adopt replace what runs one by one: else both run workers",
    "",
    "",
    [],
  ],
])("%s", (words, lines, rest, names) => {
  const files = Object.fromEntries(names.map((name) => [name, ""]));
  expect(worker(lines, { files }, rest).words).toContain(words);
});

test("a volume with options that the worker does not use is not spoken of", () => {
  const rest = "volumes: {v: {driver: x}, w: {driver: x}}";
  const { words } = worker('volumes: ["w:/w"]', {}, rest);
  expect(words.filter((word) => word.includes("driver")).length).toBe(1);
});

test("the schema is named where there is one", () => {
  const [group] = worker("", { schema: "../wgctl.schema.json" }).groups;
  expect(group?.text.split("\n").slice(0, 2)).toEqual([
    "# yaml-language-server: $schema=../wgctl.schema.json",
    "# Made by `wgctl import` from the service worker in compose.yaml.",
  ]);
});
