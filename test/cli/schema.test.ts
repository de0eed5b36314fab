// The schema that the CLI prints is the one that init writes and every modeline names, and an editor can read it.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../support/cli.ts";

type Json = { readonly [key: string]: unknown };

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-schema-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function printed(): Promise<string> {
  const { code, stdout, stderr } = await runCli(["schema"], { cwd: await emptyFolder() });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

it("is the file that init writes, which every modeline leads to", async () => {
  const cwd = await emptyFolder();
  await runCli(["init"], { cwd });
  expect(await readFile(join(cwd, "wgctl.schema.json"), "utf8")).toBe(await printed());
  for (const file of ["wgctl.yaml", "groups/example.yaml"]) {
    const text = await readFile(join(cwd, file), "utf8");
    const [, named = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(relative(cwd, join(cwd, dirname(file), named))).toBe("wgctl.schema.json");
  }
});

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** What draft 7 allows of a keyword's value; what is not here is no keyword that we use. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: (value) => value === "http://json-schema.org/draft-07/schema#",
  title: (value) => typeof value === "string",
  description: (value) => typeof value === "string" && value !== "",
  type: (value) => [value].flat().every((type) => TYPES.includes(String(type))),
  enum: (value) => Array.isArray(value) && value.length > 0,
  examples: Array.isArray,
  anyOf: (value) => Array.isArray(value) && value.length > 0,
  required: (value) => Array.isArray(value) && new Set(value).size === value.length,
  pattern: (value) => new RegExp(String(value), "u") instanceof RegExp,
  minLength: Number.isInteger,
  properties: isJson,
  patternProperties: isJson,
  additionalProperties: (value) => typeof value === "boolean" || isJson(value),
  items: isJson,
};

/** Paths of everything that draft 7 would not take. */
function* faultsOf(schema: Json, path: string): Generator<string> {
  for (const [keyword, value] of Object.entries(schema)) {
    const isRight = KEYWORDS[keyword];
    if (isRight === undefined || !isRight(value)) yield `${path}/${keyword}`;
  }
  for (const [step, below] of schemasBelow(schema)) yield* faultsOf(below, `${path}/${step}`);
}

function* schemasBelow(schema: Json): Generator<readonly [string, Json]> {
  for (const keyword of ["items", "additionalProperties"])
    if (isJson(schema[keyword])) yield [keyword, schema[keyword]];
  for (const keyword of ["properties", "patternProperties", "anyOf"])
    for (const [step, below] of Object.entries(schema[keyword] ?? {}))
      if (isJson(below)) yield [`${keyword}/${step}`, below];
}

it("is a schema of draft 7, in every part of it", async () => {
  const schema: unknown = JSON.parse(await printed());
  if (!isJson(schema)) throw new Error("a schema is an object");
  expect(schema["$schema"]).toBe("http://json-schema.org/draft-07/schema#");
  expect([...faultsOf(schema, "")]).toEqual([]);
});
