// The journal as a file: what is read back, what a crash or a full disk leaves, and that a quiet run does not touch it.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { follow, type JournalLine, NOTHING_PENDING } from "../../src/core/journal.ts";
import { type Journal, openJournal, readPending } from "../../src/store/journal.ts";
import { readHistory } from "../../src/store/journal-history.ts";
import { fileOf, intent, outcome, SENT, SIGNAL, settled, TIME } from "../support/journal.ts";

let root: string;
let folder: string;
let file: string;
const opened: Journal[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wgctl-journal-"));
  folder = join(root, ".wgctl");
  file = join(folder, "journal.ndjson");
});
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close();
  rmSync(root, { recursive: true, force: true });
});

function open(run = "run-1"): Journal {
  const journal = openJournal(folder, () => run);
  opened.push(journal);
  return journal;
}

async function prepared(run?: string): Promise<Journal> {
  const journal = open(run);
  await journal.prepare(TIME);
  return journal;
}

/** Puts a text where the journal is. */
function put(text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
}

const RUN = { kind: "run", time: TIME, run: "run-1" } as const;

describe("what is written", () => {
  it("is read back", async () => {
    const journal = await prepared();
    journal.commit(RUN);
    journal.commit(intent());
    journal.commit(intent(SIGNAL));
    journal.add([outcome(SIGNAL), outcome({ id: "run-1-3", action: "remove" })]);
    expect(readPending(folder)).toEqual(journal.pending);
    expect(open()).toMatchObject({ isSettled: false, isTorn: false, pending: journal.pending });
    const { entries, unreadable } = await readHistory(folder);
    expect(entries.map(({ action, outcome: end }) => `${action} ${end}`)).toEqual([
      "create unknown",
      "signal done",
      "remove done",
    ]);
    expect(unreadable).toBe(0);
  });

  it("stands in the file when commit returns", async () => {
    const journal = await prepared();
    journal.commit(intent());
    expect(readFileSync(file, "utf8")).toBe(fileOf(intent()));
  });

  it("goes on after what another run wrote", async () => {
    const first = await prepared("run-1");
    first.commit(intent());
    const second = await prepared("run-2");
    second.add([outcome({ outcome: "found" }), settled({ run: "run-2" })]);
    expect(open()).toMatchObject({ isSettled: true, pending: NOTHING_PENDING });
  });

  it("is ignored by Git with the folder it makes", async () => {
    await prepared();
    expect(readdirSync(folder).sort()).toEqual([".gitignore", "journal.ndjson"]);
  });
});

describe("a run that has nothing to say", () => {
  it("makes no file and no folder", () => {
    const journal = open();
    expect(journal).toMatchObject({ pending: NOTHING_PENDING, isSettled: true, isTorn: false });
    expect(readdirSync(root)).toEqual([]);
  });

  it("does not touch the file, and is not so much as named", () => {
    put(fileOf(intent(), settled()));
    const before = statSync(file);
    openJournal(folder, () => {
      throw new Error("named");
    });
    readPending(folder);
    expect(statSync(file).mtimeMs).toBe(before.mtimeMs);
  });
});

describe("the end of a long journal", () => {
  const many = Array.from({ length: 400 }, (_, index) =>
    outcome({ id: `old-${index}`, action: "remove" }),
  );

  it("is read back to the line that says that all is settled, and no further", () => {
    const newer = `${JSON.stringify({ v: 99 })}\n`;
    put(newer + fileOf(...many, settled()));
    expect(open()).toMatchObject({ isSettled: true });
  });

  it("is read as far back as it takes", () => {
    put(fileOf(intent(), ...many, ...many));
    expect(readPending(folder).open.map(({ id }) => id)).toEqual(["run-1-1"]);
    put(fileOf(settled({ signalled: ["c1"] }), intent(), ...many, ...many, outcome()));
    expect(readPending(folder)).toEqual({ open: [], signalled: ["c1"] });
  });
});

describe("a write that was cut off", () => {
  const whole: readonly JournalLine[] = [
    settled({ signalled: ["c7"] }),
    intent({ group: "mail-größer" }),
    outcome({ ...SIGNAL, words: "an error with a \n and an ü" }),
  ];

  it("at any byte: what was whole counts, and the next line begins a new one", async () => {
    const bytes = Buffer.from(fileOf(...whole));
    const ends = lineEnds(bytes);
    const added = outcome({ id: "run-2-1", action: "remove" });
    let states = 0;
    mkdirSync(folder);
    for (let length = 0; length <= bytes.length; length += 1) {
      writeFileSync(file, bytes.subarray(0, length));
      // A line without its line feed is whole.
      const count = ends.filter((end) => end - 1 <= length).length;
      const isTorn = length > 0 && !ends.includes(length);
      const expected = whole.slice(0, count).reduce(follow, NOTHING_PENDING);
      const journal = open("run-2");
      expect(journal, `${length} bytes`).toMatchObject({ isTorn, pending: expected });
      journal.add([added]);
      const { entries, unreadable } = await readHistory(folder);
      expect(entries.at(-1)?.id).toBe("run-2-1");
      expect(unreadable).toBe(isTorn && !ends.includes(length + 1) ? 1 : 0);
      expect(readPending(folder)).toEqual(expected);
      journal.close();
      states += 1;
    }
    console.info(`journal: cut off at ${states} places, each read back and gone on from`);
  });

  function lineEnds(bytes: Buffer): readonly number[] {
    return [...bytes.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index + 1] : []));
  }
});

describe("a damaged journal", () => {
  it.each([
    ["nonsense", "nonsense\n"],
    ["zeros, as a power cut leaves them", `${"\0".repeat(500)}\n`],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x0a])],
    ["JSON of another kind", '[1]\nnull\n"x"\n{}\n'],
    ["a word that nobody knows", fileOf(outcome()).replace('"done"', '"enchanted"')],
    ["a field that is missing", fileOf(intent()).replace('"until"', '"unto"')],
    ["a time that is none", fileOf(outcome()).replace(TIME, "soon")],
  ])("%s is passed over and counted", async (_, damage) => {
    put(fileOf(intent()));
    appendFileSync(file, damage);
    appendFileSync(file, fileOf(intent(SIGNAL)));
    expect(readPending(folder).open.map(({ id }) => id)).toEqual(["run-1-1", "run-1-2"]);
    const { entries, unreadable } = await readHistory(folder);
    expect(entries).toHaveLength(2);
    expect(unreadable).toBe(damage.toString("latin1").trimEnd().split("\n").length);
  });

  it("of nothing but damage is gone on from", async () => {
    put("nonsense");
    const journal = await prepared();
    journal.commit(intent());
    expect(readFileSync(file, "utf8")).toBe(`nonsense\n${fileOf(intent())}`);
  });

  it("of a newer wgctl is refused and left as it is", async () => {
    const text = fileOf(intent()).replace('"v":1', '"v":2');
    put(text);
    const refusal = {
      code: "state-unusable",
      message: `${file} has lines of format version 2, and this wgctl knows versions up to 1`,
      hint: expect.stringContaining("a newer wgctl was here"),
    };
    expect(() => open()).toThrow(expect.objectContaining(refusal));
    expect(() => readPending(folder)).toThrow(expect.objectContaining(refusal));
    await expect(readHistory(folder)).rejects.toMatchObject(refusal);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("that cannot be read at all is refused", async () => {
    mkdirSync(file, { recursive: true });
    expect(() => open()).toThrow("EISDIR");
    await expect(readHistory(folder)).rejects.toMatchObject({ code: "state-unusable" });
  });

  it("may have a field that a later release adds", () => {
    put(fileOf(intent()).replace('"slot"', '"later":1,"slot"'));
    expect(readPending(folder).open).toHaveLength(1);
  });
});

describe("a journal that cannot be written", () => {
  const full = { code: "state-unwritable", hint: expect.stringContaining("the disk is full") };

  it.runIf(process.platform === "linux")("takes no intent on a full disk", async () => {
    mkdirSync(folder);
    symlinkSync("/dev/full", file);
    const journal = await prepared();
    expect(() => journal.commit(intent())).toThrow(expect.objectContaining(full));
    expect(journal.pending).toEqual(NOTHING_PENDING);
    expect(journal.trouble).toMatchObject(full);
  });

  it.runIf(process.platform === "linux")(
    "remembers outcomes in the run, and is not written again",
    async () => {
      const journal = await prepared();
      journal.commit(intent(SIGNAL));
      journal.close();
      rmSync(file);
      symlinkSync("/dev/full", file);
      journal.add([outcome(SIGNAL)]);
      expect(journal).toMatchObject({ trouble: full, pending: { open: [], signalled: [SENT] } });
      rmSync(file);
      expect(() => journal.commit(intent())).toThrow(expect.objectContaining(full));
      expect(existsSync(file)).toBe(false);
    },
  );

  it("because its folder cannot be made is told before anything is done", async () => {
    const journal = open();
    writeFileSync(folder, "");
    await expect(journal.prepare(TIME)).rejects.toMatchObject({ code: "state-unusable" });
    expect(journal.trouble).toBeDefined();
  });
});

describe("a journal that is removed while a run has it open", () => {
  it.each([
    ["the file", () => rmSync(file)],
    ["the folder", () => rmSync(folder, { recursive: true })],
  ])("%s: what is pending stands in the new one", async (_, remove) => {
    const journal = await prepared();
    journal.commit(intent());
    remove();
    journal.commit(intent(SIGNAL));
    expect(readPending(folder)).toEqual(journal.pending);
    expect(journal.pending.open.map(({ id }) => id)).toEqual(["run-1-1", "run-1-2"]);
  });
});

describe("a journal that has grown long", () => {
  const MEGABYTE = 1024 * 1024;
  const filler = fileOf(outcome({ id: "filler", action: "remove", words: "x".repeat(2000) }));

  it("is cut to the newest lines; what is pending is kept, however old", async () => {
    const newest = outcome({ id: "newest", action: "remove" });
    put(fileOf(intent(), outcome(SIGNAL)) + filler.repeat(500) + fileOf(newest));
    expect(statSync(file).size).toBeGreaterThan(MEGABYTE);
    const before = readPending(folder);
    const journal = await prepared("run-2");
    expect(statSync(file).size).toBeLessThan(MEGABYTE * 0.6);
    expect(readPending(folder)).toEqual(before);
    expect(before).toMatchObject({ open: [{ id: "run-1-1" }], signalled: [SENT] });
    const { entries, unreadable } = await readHistory(folder);
    expect([entries.at(-1)?.id, unreadable]).toEqual(["newest", 0]);
    journal.commit(RUN);
    expect(readFileSync(file, "utf8").endsWith(fileOf(RUN))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  it("is cut after a line that a crash cut off, too", async () => {
    put(`${fileOf(intent()) + filler.repeat(600)}{"v":1,"ki`);
    await prepared("run-2");
    expect(open()).toMatchObject({ isTorn: false, isSettled: true });
    expect((await readHistory(folder)).unreadable).toBe(1);
    expect(readPending(folder).open).toHaveLength(1);
  });

  it("is left alone below the bound", async () => {
    put(filler.repeat(100));
    const { size } = statSync(file);
    await prepared();
    expect(statSync(file).size).toBe(size);
  });
});
