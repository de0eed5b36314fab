// The schema for editors explains every field, and says the same of a manifest as the checks do.

import { expect, test } from "vitest";
import { jsonSchemaText, makeJsonSchema } from "../../src/config/json-schema.ts";
import { groupNotes, projectNotes } from "../../src/config/schema/notes.ts";

type Json = { readonly [key: string]: unknown };

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every property below a schema by its path, in all its forms. */
function* propertiesOf(json: unknown, path = ""): Generator<readonly [string, Json]> {
  if (!isJson(json)) return;
  const { anyOf, properties, items, additionalProperties } = json;
  for (const form of Array.isArray(anyOf) ? anyOf : []) yield* propertiesOf(form, path);
  yield* propertiesOf(items, `${path}[]`);
  yield* propertiesOf(additionalProperties, `${path}.*`);
  for (const [name, field] of Object.entries(isJson(properties) ? properties : {})) {
    const below = path === "" ? name : `${path}.${name}`;
    if (isJson(field)) yield [below, field];
    yield* propertiesOf(field, below);
  }
}

const [group, project] = makeJsonSchema().anyOf ?? [];

test.each([
  ["WorkerGroup", group, groupNotes],
  ["Project", project, projectNotes],
])("every field of a %s is explained, and nothing else is", (_, schema, notes) => {
  const paths = new Set([...propertiesOf(schema)].map(([path]) => path));
  expect([...paths].filter((path) => notes[path] === undefined)).toEqual([]);
  expect(Object.keys(notes).filter((path) => !paths.has(path))).toEqual([]);
  for (const [path, field] of propertiesOf(schema))
    expect([path, field["description"]]).toEqual([path, notes[path]?.[0]]);
});

function fieldAt(path: string): Json {
  const found = [...propertiesOf(group)].find(([name]) => name === path);
  if (found === undefined) throw new Error(`no field ${path}`);
  return found[1];
}

test("numbers and booleans may be variables, and words are listed", () => {
  const variable = { type: "string", pattern: expect.stringContaining("\\$") };
  expect(fieldAt("spec.replicas")).toMatchObject({ anyOf: [{ type: "integer" }, variable] });
  expect(JSON.stringify(fieldAt("spec.suspend"))).toContain('"boolean"');
  expect(JSON.stringify(fieldAt("spec.rollout.strategy"))).toContain(
    '{"enum":["RollingUpdate","Recreate"]}',
  );
  expect(fieldAt("kind")).toMatchObject({ enum: ["WorkerGroup"] });
});

test("unknown fields are errors, x- fields are free where anchors are kept", () => {
  expect(group).toMatchObject({ additionalProperties: false, patternProperties: { "^x-": {} } });
  expect(fieldAt("metadata")).toMatchObject({ additionalProperties: false });
  expect(fieldAt("metadata")).not.toHaveProperty("patternProperties");
});

test("it is text of JSON that ends with a newline", () => {
  expect(JSON.parse(jsonSchemaText())).toEqual(makeJsonSchema());
  expect(jsonSchemaText().endsWith("}\n")).toBe(true);
});
