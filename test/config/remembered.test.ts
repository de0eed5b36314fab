// A reading that is kept must be given up with the smallest change of anything that it came from.

import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProject } from "../../src/config/find-project.ts";
import { load } from "../../src/config/load.ts";
import { loadProject } from "../../src/config/project.ts";
import {
  hadSettled,
  type ReadingRequest,
  type RememberedReading,
  remember,
  stillHolds,
} from "../../src/config/remembered.ts";
import { folderWith, manifest, someUid } from "./manifests.ts";

const HOME = homedir();
/** As if every file had been there for long. */
const LATER_MS = 60_000;

const project = (spec: string) => `apiVersion: wgctl.dev/v1
kind: Project
metadata: {name: p, uid: ${someUid}}
spec: {manifests: [groups/]${spec}}
`;

const plain = {
  "wgctl.yaml": project(""),
  "groups/a.yaml": manifest("environment: {A: b}"),
  "groups/compose.yaml": "services: {}\n",
};

function requestIn(cwd: string, changes: Partial<ReadingRequest> = {}): ReadingRequest {
  return { build: "b1", files: [], envFiles: [], names: [], cwd, ...changes };
}

/** Reads a folder and keeps the reading as plain data, as a file would. */
async function readAndKeep(
  request: ReadingRequest,
  startedAt = Date.now() + LATER_MS,
): Promise<RememberedReading | undefined> {
  const { cwd, files, envFiles, names } = request;
  const projectFile = findProject(cwd) ?? null;
  const read = projectFile === null ? undefined : await loadProject(projectFile, cwd);
  const loaded = await load({
    files,
    project: read?.project,
    cwd,
    readStdin: async () => "",
    variables: { envFiles, names, shell: {} },
  });
  const reading = { ...loaded, project: read?.project };
  const { files: manifests, variableFiles, home } = loaded;
  const sources = { projectFile, manifests, variableFiles, home };
  const kept = remember(request, reading, sources, startedAt);
  return kept === undefined ? undefined : JSON.parse(JSON.stringify(kept));
}

async function kept(folder: string, request = requestIn(folder)): Promise<RememberedReading> {
  const reading = await readAndKeep(request);
  if (reading === undefined) throw new Error("it was not kept");
  return reading;
}

test("it holds while nothing changes, and says what reading anew would say", async () => {
  const folder = folderWith(plain);
  const reading = await kept(folder);
  expect(stillHolds(reading, requestIn(folder), HOME)).toBe(true);
  const { project: read } = await loadProject(join(folder, "wgctl.yaml"), folder);
  const fresh = await load({ files: [], project: read, cwd: folder, readStdin: async () => "" });
  expect(reading.groups).toEqual(JSON.parse(JSON.stringify(fresh.groups)));
  expect(reading.groups).toHaveLength(1);
});

test("it holds without a project too", async () => {
  const folder = folderWith({ "a.yaml": manifest("") });
  expect(stillHolds(await kept(folder), requestIn(folder), HOME)).toBe(true);
});

describe("it is given up when", () => {
  test.each<[string, (folder: string) => void]>([
    ["a manifest grows", (f) => appendFileSync(join(f, "groups/a.yaml"), "# x\n")],
    [
      "a manifest is written anew with as many characters",
      (f) => {
        const path = join(f, "groups/a.yaml");
        writeFileSync(path, readFileSync(path, "utf8").replace("A: b", "A: c"));
      },
    ],
    [
      "a manifest is changed and its time of modification set back",
      (f) => {
        const path = join(f, "groups/a.yaml");
        const times = new Date(0);
        utimesSync(path, times, times);
      },
    ],
    [
      "another file takes a manifest's place",
      (f) => {
        writeFileSync(join(f, "new"), readFileSync(join(f, "groups/a.yaml")));
        renameSync(join(f, "new"), join(f, "groups/a.yaml"));
      },
    ],
    ["a manifest is removed", (f) => unlinkSync(join(f, "groups/a.yaml"))],
    ["a manifest comes", (f) => writeFileSync(join(f, "groups/b.yaml"), "")],
    [
      "a manifest comes in a folder below",
      (f) => {
        mkdirSync(join(f, "groups/sub"));
        symlinkSync(join(f, "wgctl.yaml"), join(f, "groups/sub/c.yaml"));
      },
    ],
    ["somebody else's YAML changes", (f) => appendFileSync(join(f, "groups/compose.yaml"), "#\n")],
    ["the project changes", (f) => appendFileSync(join(f, "wgctl.yaml"), "# x\n")],
    ["the project goes", (f) => unlinkSync(join(f, "wgctl.yaml"))],
    ["the folder of manifests goes", (f) => rmSync(join(f, "groups"), { recursive: true })],
    ["a .env comes", (f) => writeFileSync(join(f, ".env"), "TAG=2\n")],
  ])("%s", async (_, change) => {
    const folder = folderWith(plain);
    const reading = await kept(folder);
    change(folder);
    expect(stillHolds(reading, requestIn(folder), HOME)).toBe(false);
  });

  test("a project comes nearer than the one it had", async () => {
    const folder = folderWith({ ...plain, "sub/x.txt": "" });
    const request = requestIn(join(folder, "sub"));
    const reading = await kept(folder, request);
    writeFileSync(join(folder, "sub/wgctl.yaml"), project(""));
    expect(stillHolds(reading, request, HOME)).toBe(false);
  });

  test("an optional env_file comes that was not there", async () => {
    const folder = folderWith({
      "a.yaml": manifest("env_file: [{path: ./later.env, required: false}]"),
    });
    const reading = await kept(folder);
    writeFileSync(join(folder, "later.env"), "A=1\n");
    expect(stillHolds(reading, requestIn(folder), HOME)).toBe(false);
  });

  test("a config file is written anew, or touched", async () => {
    const yaml = manifest("configs: [app]", {
      spec: "configs: {app: {file: ../app.toml}}\nreplicas: 1",
    });
    const folder = folderWith({ "app.toml": "a = 1\n", "groups/a.yaml": yaml });
    const path = join(folder, "app.toml");
    for (const change of [
      () => writeFileSync(path, "a = 2\n"),
      () => utimesSync(path, new Date(0), new Date(0)),
    ]) {
      const reading = await kept(folder, requestIn(folder, { files: ["groups"] }));
      expect(stillHolds(reading, requestIn(folder, { files: ["groups"] }), HOME)).toBe(true);
      change();
      expect(stillHolds(reading, requestIn(folder, { files: ["groups"] }), HOME)).toBe(false);
    }
  });

  test("a seccomp profile changes", async () => {
    const folder = folderWith({
      "a.yaml": manifest("security_opt: [seccomp=p.json]"),
      "p.json": "{}",
    });
    const reading = await kept(folder);
    writeFileSync(join(folder, "p.json"), "[]");
    expect(stillHolds(reading, requestIn(folder), HOME)).toBe(false);
  });

  test("a .env changes whose variables an image is named by", async () => {
    const folder = folderWith({ ".env": "TAG=1\n", "a.yaml": manifest("image: 'x:$TAG'") });
    const reading = await kept(folder);
    writeFileSync(join(folder, ".env"), "TAG=2\n");
    expect(stillHolds(reading, requestIn(folder), HOME)).toBe(false);
  });

  test("another home is meant by ~, and only where ~ is written", async () => {
    const withHome = folderWith({ "a.yaml": manifest("volumes: ['~/x:/x']") });
    expect(stillHolds(await kept(withHome), requestIn(withHome), HOME)).toBe(true);
    expect(stillHolds(await kept(withHome), requestIn(withHome), "/else")).toBe(false);
    const without = folderWith(plain);
    expect(stillHolds(await kept(without), requestIn(without), "/else")).toBe(true);
  });

  test.each<[string, Partial<ReadingRequest>]>([
    ["another build asks", { build: "b2" }],
    ["files are named", { files: ["groups"] }],
    ["files of variables are named", { envFiles: ["x.env"] }],
    ["variables of the shell are named", { names: ["TAG"] }],
  ])("%s", async (_, changes) => {
    const folder = folderWith(plain);
    const reading = await kept(folder);
    expect(stillHolds(reading, requestIn(folder, changes), HOME)).toBe(false);
  });
});

describe("it is not kept when", () => {
  const refused = async (folder: string, request = requestIn(folder)) =>
    expect(await readAndKeep(request)).toBeUndefined();

  test("a file was changed just before, because the clock may not tell the next change", async () => {
    const folder = folderWith(plain);
    const { ctimeMs } = statSync(join(folder, "groups/a.yaml"));
    expect(await readAndKeep(requestIn(folder), ctimeMs + 20)).toBeUndefined();
    expect(await readAndKeep(requestIn(folder), ctimeMs + 500)).toBeDefined();
  });

  test.each([
    [5_000_000_001n, 5_040, true],
    [5_000_000_001n, 5_020, false],
    [5_000_000_000n, 6_900, false],
    [5_000_000_000n, 7_100, true],
  ])(
    "a change at %d ns was not settled at %d ms, by the grain of its clock",
    (changedNs, startedAt, settled) => {
      expect(hadSettled(changedNs, startedAt)).toBe(settled);
    },
  );

  test("a file was changed since", async () => {
    const folder = folderWith(plain);
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(folder, "groups/a.yaml"), past, past);
    expect(await readAndKeep(requestIn(folder), Date.now() - 10_000)).toBeUndefined();
  });

  test.each([
    ["a value comes from .env", "environment: {A: '$X'}", ".env"],
    ["a value comes from an env_file", "env_file: [x.env]", "x.env"],
  ])("%s, which may be sensitive", async (_, template, file) => {
    await refused(folderWith({ [file]: "X=secret\n", "a.yaml": manifest(template) }));
  });

  test("a secret file is used, whose digest is for nobody to keep", async () => {
    const yaml = manifest("secrets: [key]", { spec: "secrets: {key: {file: ./k}}\nreplicas: 1" });
    await refused(folderWith({ k: "hunter2", "a.yaml": yaml }));
  });

  test("there is something to warn of, which is told each time", async () => {
    await refused(folderWith({ "a.yaml": manifest("environment: {A: 0644}") }));
  });

  test("a spec is wrong", async () => {
    await refused(folderWith({ "a.yaml": manifest("imag: x") }));
  });

  test("the project reads variables of the shell", async () => {
    await refused(folderWith({ ...plain, "wgctl.yaml": project(", env: [TAG]") }));
  });

  test("the program runs from its sources, whose reading may change at any time", async () => {
    const folder = folderWith(plain);
    await refused(folder, requestIn(folder, { build: "" }));
  });

  test("the standard input is read", async () => {
    const folder = folderWith(plain);
    await refused(folder, requestIn(folder, { files: ["-"] }));
  });
});
