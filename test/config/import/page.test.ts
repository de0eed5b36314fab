// The page about imports says what is true: of its copies, of every option, and of whatever is left out.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { defineImport } from "../../../src/cli/import-entry.ts";
import { importText, valueIn } from "./compose.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/import.md"), "utf8");

test("its copies become the group that it shows", () => {
  const [, services = ""] = /```yaml\n([^`]*)```/.exec(page) ?? [];
  const result = importText(`services:\n${services}`);
  const { networks: _, image: __, ...template } = Object(valueIn(result, "spec", "template"));
  expect(result.groups.map(({ name }) => name)).toEqual(["worker"]);
  expect(valueIn(result, "spec", "replicas")).toBe("2");
  expect(template).toEqual({
    environment: { WORKER_ID: "{{.Task.Slot}}" },
    ports: ["8081-8082:80"],
    volumes: ["./logs/{{.Task.Slot}}:/logs"],
  });
  for (const text of ["replicas: 2", 'WORKER_ID: "{{.Task.Slot}}"', "8081-8082:80"])
    expect(page).toContain(text);
});

test("every option stands on it", () => {
  const command = new Command();
  defineImport(command, () => undefined);
  const own = command.options.map(({ long }) => long ?? "");
  const common = ["--output", "--color", "--quiet", "--verbose"];
  const missing = own.filter((name) => !common.includes(name) && !page.includes(`\`${name}`));
  expect(missing).toEqual([]);
});
