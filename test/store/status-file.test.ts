import { execFileSync } from "node:child_process";
import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeStatus } from "../../src/core/status.ts";
import type { StatusDocument } from "../../src/core/status-types.ts";
import { decodeStatus } from "../../src/store/status-decode.ts";
import {
  checkEngine,
  readStatus,
  setAsideStatus,
  writeStatus,
} from "../../src/store/status-file.ts";
import {
  buildDesired,
  buildGroupPlan,
  buildGroupStatus,
  buildPlan,
  buildStatus,
  buildWorker,
} from "../support/build.ts";

let root: string;
let folder: string;
let file: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wgctl-status-"));
  folder = join(root, ".wgctl");
  file = join(folder, "status.json");
});

afterEach(() => rm(root, { recursive: true, force: true }));

const whole: StatusDocument = buildStatus({
  groups: [
    buildGroupStatus({
      lastConvergedGeneration: null,
      commit: "c0ffee-dirty",
      workers: [
        {
          id: "abc",
          name: "mailer-1-1f2e3d4c",
          slot: 1,
          attempt: 2,
          revision: "1f2e3d4c",
          updated: true,
          state: "Exited",
          startedAt: "2026-11-29T12:00:00.000Z",
          readySince: null,
          wasAvailable: false,
          isProven: true,
          signalled: true,
          isDrained: false,
          exitCode: -1,
        },
      ],
      failures: [{ slot: 1, revision: "1f2e3d4c", attempts: 2, at: "2026-11-29T12:00:00.000Z" }],
      uncertain: [
        {
          slot: 2,
          revision: "1f2e3d4c",
          name: "mailer-2-1f2e3d4c",
          until: "2026-11-29T12:05:00.000Z",
        },
      ],
    }),
  ],
});

describe("writing and reading", () => {
  test("what is written is what is read", async () => {
    expect(await writeStatus(folder, whole)).toBe(true);
    expect(await readStatus(folder)).toEqual({ kind: "loaded", document: whole });
    expect(await readFile(file, "utf8")).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  });

  test("an equal document touches nothing", async () => {
    await writeStatus(folder, whole);
    const before = await stat(file);
    const folderBefore = await stat(folder);
    expect(await writeStatus(folder, structuredClone(whole))).toBe(false);
    expect(await stat(file)).toEqual({
      ...before,
      atime: expect.anything(),
      atimeMs: expect.anything(),
    });
    expect((await stat(folder)).mtimeMs).toBe(folderBefore.mtimeMs);
  });

  test("the order of keys in memory does not show in the file", async () => {
    await writeStatus(folder, whole);
    expect(await writeStatus(folder, reverseKeys(whole))).toBe(false);
  });

  test("there is no file before the first write, and reading makes none", async () => {
    expect(await readStatus(folder)).toEqual({ kind: "absent" });
    expect(await readdir(root)).toEqual([]);
  });

  test("a field of a later release does not stop this one from reading", async () => {
    await writeStatus(folder, whole);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"project"', '"later": 1,\n  "project"'));
    expect(await readStatus(folder)).toEqual({ kind: "loaded", document: whole });
  });
});

/** A folder nobody may write to; permissions do not stop root, but the kernel's own file system does. */
async function forbiddenFolder(): Promise<string> {
  if (process.getuid?.() === 0) return "/sys/wgctl";
  await mkdir(folder);
  await chmod(folder, 0o500);
  return folder;
}

/** The same document with the keys of every object the other way round. */
function reverseKeys<T>(value: T): T {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).reverse())
      : member,
  );
  return JSON.parse(text);
}

describe("the folder", () => {
  test("is made with a .gitignore, so that a tree stays clean", async () => {
    execFileSync("git", ["init", "-q", root]);
    await writeStatus(join(folder, "staging"), whole);
    await writeStatus(folder, whole);
    const changes = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
    expect(changes).toBe("");
  });

  test("that a person uses for other things gets no .gitignore", async () => {
    const shared = join(root, "shared");
    await mkdir(shared);
    await writeFile(join(shared, "mine.txt"), "");
    await writeStatus(shared, whole);
    expect((await readdir(shared)).sort()).toEqual(["mine.txt", "status.json"]);
  });

  test("is rid of the temporary file of a crash, and keeps one that may be in use", async () => {
    await mkdir(folder);
    const [stale, fresh] = [`${file}.tmp-0ld`, `${file}.tmp-f4esh`];
    await writeFile(stale, "");
    await writeFile(fresh, "");
    const anHourAgo = Date.now() / 1000 - 3600;
    await utimes(stale, anHourAgo, anHourAgo);
    await writeStatus(folder, whole);
    const names = (await readdir(folder)).sort();
    expect(names).toEqual([".gitignore", "status.json", "status.json.tmp-f4esh"]);
  });
});

describe("a file that cannot be used", () => {
  const damage: readonly (readonly [string, string, string])[] = [
    ["cut off", '{"formatVersion": 1, "eng', "it is not JSON"],
    ["empty", "", "it is not JSON"],
    ["a list", "[]", "the document is not an object"],
    ["without a version", "{}", "formatVersion is missing"],
    ["of version 0", '{"formatVersion": 0}', "formatVersion is not a version that ever was"],
    ["without an engine", '{"formatVersion": 1}', "engine is missing"],
    [
      "with a word that nobody knows",
      JSON.stringify(whole).replace('"Exited"', '"Asleep"'),
      "groups[0].workers[0].state is not a known word",
    ],
    [
      "with an inherited word",
      JSON.stringify(whole).replace('"Exited"', '"toString"'),
      "groups[0].workers[0].state is not a known word",
    ],
    [
      "with a negative count",
      JSON.stringify(whole).replace('"desired":3', '"desired":-3'),
      "groups[0].counts.desired is not a whole number",
    ],
    [
      "with a time that is none",
      JSON.stringify(whole).replace("2026-11-29T12:05:00.000Z", "soon"),
      "groups[0].uncertain[0].until is not a time",
    ],
  ];

  test.each(damage)("%s", async (_name, text, because) => {
    await mkdir(folder);
    await writeFile(file, text);
    expect(await readStatus(folder)).toEqual({ kind: "damaged", because });
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("is set aside under the next free name", async () => {
    await mkdir(folder);
    for (const [text, number] of [
      ["one", 1],
      ["two", 2],
    ] as const) {
      await writeFile(file, text);
      const aside = await setAsideStatus(folder);
      expect(aside).toBe(`${file}.damaged-${number}`);
      expect(await readFile(aside, "utf8")).toBe(text);
    }
    await expect(access(file)).rejects.toThrow();
  });

  test("of a newer wgctl is refused and left as it is", async () => {
    await mkdir(folder);
    await writeFile(file, '{"formatVersion": 2, "shape": "new"}');
    await expect(readStatus(folder)).rejects.toMatchObject({
      code: "state-unusable",
      message: `${file} has format version 2, and this wgctl knows versions up to 1`,
    });
    expect(await readdir(folder)).toEqual(["status.json"]);
  });
});

describe("a folder that cannot be used", () => {
  test.each([
    ["a file stands where it should be", () => writeFile(folder, ""), /EEXIST|ENOTDIR/],
    ["a folder stands where the file should be", () => mkdir(file, { recursive: true }), /EISDIR/],
  ] as const)("%s", async (_name, arrange, code) => {
    await arrange();
    await expect(writeStatus(folder, whole)).rejects.toMatchObject({
      code: "state-unusable",
      message: expect.stringMatching(code),
      hint: expect.stringContaining("--state-dir"),
    });
  });

  test("its permissions forbid it", async () => {
    const forbidden = await forbiddenFolder();
    await expect(writeStatus(forbidden, whole)).rejects.toMatchObject({
      code: "state-unusable",
      message: expect.stringMatching(/^cannot write .*status\.json: (EACCES|EPERM|EROFS)$/),
      hint: expect.stringContaining("--state-dir"),
    });
  });

  test("a document that could not be read back is not written", async () => {
    const broken = buildStatus({ groups: [buildGroupStatus({ generation: -1 })] });
    await expect(writeStatus(folder, broken)).rejects.toMatchObject({ code: "state-unusable" });
    expect(await readdir(root)).toEqual([]);
  });
});

describe("one engine per folder", () => {
  test("its own is fine", () => {
    expect(() => checkEngine(whole, "ENGI:NEID")).not.toThrow();
  });

  test("another one is refused, naming both", () => {
    expect(() => checkEngine(whole, "OTHER")).toThrow(
      "the state folder belongs to engine ENGI:NEID (unix:///run/docker.sock), and this is engine OTHER",
    );
  });
});

test("a status is made in the order in which it is read back, so that most runs need only compare bytes", async () => {
  const desired = buildDesired({ pullPolicy: { kind: "every", seconds: 60 } });
  const refused = { revision: "r", message: "no" };
  const group = buildGroupPlan({ desired, refused, workers: [buildWorker()] });
  const plan = buildPlan({ groups: [group] });
  const made = makeStatus(plan, {
    engine: { id: "E", endpoint: "unix:///run/docker.sock" },
    project: { name: "p", uid: "u" },
    previous: undefined,
    narrowed: false,
    commit: "abc",
    failures: {},
    imagesChecked: { "mailer:1": 0 },
  });
  expect(made.groups[0]).toHaveProperty("imageCheckedAt");
  expect(made.groups[0]?.refused).toEqual(refused);
  const read = decodeStatus(JSON.stringify(made), file);
  expect(JSON.stringify(read)).toBe(JSON.stringify({ kind: "loaded", document: made }));
});
