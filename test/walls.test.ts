// The walls between the rooms stand only if the linter really refuses: every room gets forbidden lines planted in a copy.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../scripts/lib/process.mjs";

const IMPORT = "lint/style/noRestrictedImports";

/** Room, forbidden line, rule that must refuse it. */
const FORBIDDEN = [
  ["core", `import "node:fs";`, "lint/correctness/noNodejsModules"],
  ["core", `import "../config/load.ts";`, IMPORT],
  ["core", `import "../engine/engine.ts";`, IMPORT],
  ["core", `import "yaml";`, IMPORT],
  ["core", `export const now = () => Date.now();`, "lint/style/noRestrictedGlobals"],
  ["core", `export const dice = () => Math.random();`, "plugin"],
  ["core", `export const home = () => process.env["HOME"];`, "lint/style/noProcessEnv"],
  ["core/plan", `import "node:fs";`, "lint/correctness/noNodejsModules"],
  ["core/plan", `import "../../config/load.ts";`, IMPORT],
  ["core/plan", `export const now = () => Date.now();`, "lint/style/noRestrictedGlobals"],
  ["core/plan", `export const dice = () => Math.random();`, "plugin"],
  ["engine", `import "./docker/client.ts";`, IMPORT],
  ["engine", `import "../app/plan.ts";`, IMPORT],
  ["engine", `import "./simulated/open.ts";`, IMPORT],
  ["config", `import "../engine/engine.ts";`, IMPORT],
  ["config", `import "../store/status-file.ts";`, IMPORT],
  ["config", `import "commander";`, IMPORT],
  ["store", `import "../config/load.ts";`, IMPORT],
  ["store", `import "../app/plan.ts";`, IMPORT],
  ["store", `import "yaml";`, IMPORT],
  ["app", `import "../engine/docker/client.ts";`, IMPORT],
  ["app", `import "../view/plan-text.ts";`, IMPORT],
  ["app", `import "../cli/main.ts";`, IMPORT],
  ["app", `export const home = () => process.env["HOME"];`, "lint/style/noProcessEnv"],
  ["view", `import "../engine/engine.ts";`, IMPORT],
  ["view", `import "../store/status-file.ts";`, IMPORT],
  ["view", `import "../config/load.ts";`, IMPORT],
  ["view", `import "zod";`, IMPORT],
  ["view", `console.log("printed");`, "lint/suspicious/noConsole"],
  ["engine/docker", `import "../../app/plan.ts";`, IMPORT],
  ["engine/docker", `import "../../config/load.ts";`, IMPORT],
  ["engine/docker", `import "yaml";`, IMPORT],
  ["engine/docker", `import "../simulated/open.ts";`, IMPORT],
  ["engine/simulated", `import "../docker/open.ts";`, IMPORT],
  ["engine/simulated", `import "../../app/plan.ts";`, IMPORT],
  ["engine/simulated", `import "../../store/status-file.ts";`, IMPORT],
  ["engine/simulated", `import "execa";`, IMPORT],
  ["engine/simulated", `export const now = () => Date.now();`, "lint/style/noRestrictedGlobals"],
  ["engine/simulated", `setTimeout(() => {}, 1);`, "lint/style/noRestrictedGlobals"],
  ["engine/simulated", `export const home = () => process.env["HOME"];`, "lint/style/noProcessEnv"],
  ["cli", `import "yaml";`, IMPORT],
  ["cli", `import "execa";`, IMPORT],
  ["app", `export * from "./other.ts";`, "lint/performance/noReExportAll"],
] as const;

/** The same rooms, lines that must pass. */
const ALLOWED = [
  ["core", `import "./time.ts";`],
  ["core/plan", `import "../time.ts";`],
  ["config", `import "../core/model.ts";`],
  ["config", `import "yaml";`],
  ["store", `import "node:fs";`],
  ["app", `import "../engine/engine.ts";`],
  ["app", `import "../config/load.ts";`],
  ["view", `import "diff";`],
  ["view", `import "../app/reporter.ts";`],
  ["engine/docker", `import "../engine.ts";`],
  ["engine/docker", `import "execa";`],
  ["engine/simulated", `import "../engine.ts";`],
  ["engine/simulated", `import "node:fs/promises";`],
  ["cli", `import "commander";`],
  ["cli", `import "../engine/docker/client.ts";`],
] as const;

type Diagnostic = { readonly category: string; readonly location: { readonly path: string } };

let folder: string;
let diagnostics: readonly Diagnostic[];

const plantOf = (kind: string, at: number, room: string) => `src/${room}/${kind}-${at}.ts`;

function plant(path: string, line: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${line}\n`);
}

function lint(): readonly Diagnostic[] {
  const biome = join(ROOT, "node_modules/.bin/biome");
  const args = ["lint", "--reporter=json", "--max-diagnostics=none", "--vcs-enabled=false", "src"];
  const report = execFileSync("sh", ["-c", `"$0" "$@" || true`, biome, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(report).diagnostics;
}

const found = (path: string) =>
  diagnostics.filter(({ location }) => location.path === path).map(({ category }) => category);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-walls-"));
  cpSync(join(ROOT, "biome.json"), join(folder, "biome.json"));
  cpSync(join(ROOT, "scripts/lint"), join(folder, "scripts/lint"), { recursive: true });
  FORBIDDEN.forEach(([room, line], at) => {
    plant(plantOf("bad", at, room), line);
  });
  ALLOWED.forEach(([room, line], at) => {
    plant(plantOf("good", at, room), line);
  });
  diagnostics = lint();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(FORBIDDEN.map((row, at) => [...row, at] as const))(
  "src/%s refuses %s",
  (room, _, rule, at) => {
    expect(found(plantOf("bad", at, room))).toContain(rule);
  },
);

it.each(ALLOWED.map((row, at) => [...row, at] as const))("src/%s accepts %s", (room, _, at) => {
  expect(found(plantOf("good", at, room))).toEqual([]);
});
