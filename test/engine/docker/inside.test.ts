// Limits, commands and logs on the wire: what is sent, what is made of the answers, and what is never held in memory.

import { afterEach, describe, expect, it } from "vitest";
import { FrameReader } from "../../../src/engine/docker/frames.ts";
import { LineCutter } from "../../../src/engine/docker/line-cutter.ts";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { wireContainer } from "./builders.ts";
import {
  answerError,
  answerJson,
  type FakeEngine,
  type Handler,
  startFakeEngine,
} from "./fake-engine.ts";

const never = new AbortController().signal;
let fake: FakeEngine;
let engine: Engine;

afterEach(async () => {
  await engine.close();
  await fake.close();
});

async function open(table: Readonly<Record<string, Handler>>, requestTimeoutMs = 5_000) {
  fake = await startFakeEngine((seen, answer) => {
    const handler = table[`${seen.method} ${seen.path}`] ?? failing(500, "not in the table");
    handler(seen, answer);
  });
  engine = openDockerEngine(fake.target, { environment: {}, requestTimeoutMs });
  return engine;
}

const failing =
  (status: number, message = "no"): Handler =>
  (_, answer) =>
    answerError(answer, status, message);
const json =
  (...bodies: readonly unknown[]): Handler =>
  (_, answer) => {
    const at = fake.seen.filter(({ method, path }) => `${method} ${path}` === last()).length - 1;
    answerJson(answer, bodies[Math.min(at, bodies.length - 1)]);
  };
const last = () => `${fake.seen.at(-1)?.method} ${fake.seen.at(-1)?.path}`;
/** As the engine does it: the connection is taken over, and only its end is the end. */
const takenOver =
  (words: string): Handler =>
  (_, answer) => {
    answer.socket?.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n${words}`);
  };
const bodyOf = (path: string) =>
  JSON.parse(fake.seen.find((seen) => seen.path === path)?.body ?? "null");

/** A piece of one stream as the engine frames it. */
function frame(stream: 1 | 2, text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

describe("updateLimits", () => {
  const MB = 1024 ** 2;
  it.each([
    [{ cpus: 1.5 }, { NanoCpus: 1_500_000_000 }],
    [{ memory: 64 * MB }, { Memory: 64 * MB, MemorySwap: 128 * MB }],
    [{ pids: 9 }, { PidsLimit: 9 }],
    [
      { cpus: 1, memory: 64 * MB, pids: 9 },
      { NanoCpus: 1e9, Memory: 64 * MB, MemorySwap: 128 * MB, PidsLimit: 9 },
    ],
  ])("of %j sends what is set and nothing else", async (limits, body) => {
    const opened = await open({ "POST /containers/c/update": json({ Warnings: null }) });
    await opened.updateLimits("c", limits, never);
    expect(bodyOf("/containers/c/update")).toEqual(body);
  });
});

describe("execInWorker", () => {
  const EXEC = {
    "POST /containers/c/exec": json({ Id: "e" }),
    "POST /exec/e/start": ((_, answer) => answer.end(frame(1, "words"))) as Handler,
    "GET /exec/e/json": json({ Running: false, ExitCode: 3 }),
  };

  it("waits for the end and answers with the exit code", async () => {
    const opened = await open(EXEC);
    expect(await opened.execInWorker("c", ["bin/idle", "-a"], never)).toBe(3);
    expect(bodyOf("/containers/c/exec")).toEqual({
      ...{ Cmd: ["bin/idle", "-a"], AttachStdout: true, AttachStderr: true },
    });
    expect(bodyOf("/exec/e/start")).toEqual({ Detach: false, Tty: false });
  });

  it("looks again where the engine has not noted the end yet", async () => {
    const states = [
      { Running: true, ExitCode: null },
      { Running: false, ExitCode: 0 },
    ];
    const opened = await open({ ...EXEC, "GET /exec/e/json": json(...states) });
    expect(await opened.execInWorker("c", ["true"], never)).toBe(0);
  });

  it("that ended without an exit code makes no sense", async () => {
    const opened = await open({ ...EXEC, "GET /exec/e/json": json({ Running: false }) });
    await expect(opened.execInWorker("c", ["true"], never)).rejects.toMatchObject({
      code: "engine-failed",
    });
  });

  it.each([
    ["POST /containers/c/exec", 404, "engine-not-found"],
    ["POST /containers/c/exec", 409, "engine-conflict"],
    ["POST /exec/e/start", 409, "engine-conflict"],
    ["GET /exec/e/json", 500, "engine-failed"],
  ])("%s answered with %i is %s", async (line, status, code) => {
    const opened = await open({ ...EXEC, [line]: failing(status) });
    await expect(opened.execInWorker("c", ["true"], never)).rejects.toMatchObject({ code });
  });

  it("that does not end runs out of time, however much it says", async () => {
    const chatter: Handler = (_, answer) => {
      const more = setInterval(() => answer.write(frame(1, "x".repeat(10_000))), 1);
      answer.on("close", () => clearInterval(more));
    };
    const opened = await open({ ...EXEC, "POST /exec/e/start": chatter }, 100);
    await expect(opened.execInWorker("c", ["sleep"], never)).rejects.toMatchObject({
      code: "engine-timeout",
      message: "cannot run sleep in the container c: it did not end within 0.1 s",
    });
  });

  it("that says nothing and has no length runs out of time, and not as if it had ended", async () => {
    const opened = await open({ ...EXEC, "POST /exec/e/start": takenOver("") }, 100);
    await expect(opened.execInWorker("c", ["sleep"], never)).rejects.toMatchObject({
      code: "engine-timeout",
      message: expect.stringContaining("run sleep in the container c"),
    });
  });

  it("runs out of time as a whole, whichever of its calls is slow", async () => {
    const opened = await open({ ...EXEC, "GET /exec/e/json": () => undefined }, 100);
    await expect(opened.execInWorker("c", ["sleep"], never)).rejects.toMatchObject({
      code: "engine-timeout",
    });
  });

  it("ends with the abort that ends it", async () => {
    const abort = new AbortController();
    const mute: Handler = (_, answer) => {
      answer.write(frame(1, "begins"));
      abort.abort();
    };
    const opened = await open({ ...EXEC, "POST /exec/e/start": mute });
    await expect(opened.execInWorker("c", ["sleep"], abort.signal)).rejects.toMatchObject({
      code: "aborted",
    });
  });
});

describe("readLogs", () => {
  const inspected = (Tty: boolean) => json(wireContainer({ Config: { Labels: {}, Tty } }));
  const log = (bytes: Buffer, tty = false) => ({
    "GET /containers/c/json": inspected(tty),
    "GET /containers/c/logs": ((_, answer) => answer.end(bytes)) as Handler,
  });

  it("asks for the end of both streams, and takes them apart", async () => {
    const bytes = Buffer.concat([frame(1, "one\n"), frame(2, "two\n"), frame(1, "three\n")]);
    const opened = await open(log(bytes));
    expect(await opened.readLogs("c", 20, never)).toEqual(["one", "two", "three"]);
    const query = fake.seen.find(({ path }) => path === "/containers/c/logs")?.query;
    expect(query?.toString()).toBe("stdout=1&stderr=1&tail=20");
  });

  it("of a terminal is taken as it is", async () => {
    const opened = await open(log(Buffer.from("one\r\ntwo\r\n"), true));
    expect(await opened.readLogs("c", 20, never)).toEqual(["one", "two"]);
  });

  it("is empty where the log driver cannot be read", async () => {
    const opened = await open({ ...log(Buffer.alloc(0)), "GET /containers/c/logs": failing(501) });
    expect(await opened.readLogs("c", 20, never)).toEqual([]);
  });

  it.each([
    [404, "engine-not-found"],
    [500, "engine-failed"],
  ])("answered with %i is %s", async (status, code) => {
    const opened = await open({
      ...log(Buffer.alloc(0)),
      "GET /containers/c/logs": failing(status),
    });
    await expect(opened.readLogs("c", 20, never)).rejects.toMatchObject({ code });
  });

  it("that does not end in time is no half a log", async () => {
    const opened = await open(
      { ...log(Buffer.alloc(0), true), "GET /containers/c/logs": takenOver("one\ntwo\n") },
      100,
    );
    await expect(opened.readLogs("c", 20, never)).rejects.toMatchObject({ code: "engine-timeout" });
  });

  it("that is no log makes no sense", async () => {
    const opened = await open(log(Buffer.from("plain words that are no frame\n")));
    await expect(opened.readLogs("c", 20, never)).rejects.toMatchObject({ code: "engine-failed" });
  });
});

describe("frames", () => {
  const whole = Buffer.concat([frame(1, "one\n"), frame(2, ""), frame(2, "two"), frame(1, "3\n")]);

  it.each([1, 2, 3, 7, 8, 9, 11, 100])("are read from chunks of %i bytes", (size) => {
    const reader = new FrameReader();
    const read = { out: "", error: "" };
    for (let at = 0; at < whole.length; at += size) {
      for (const { stream, bytes } of reader.take(whole.subarray(at, at + size))) {
        read[stream] += bytes.toString();
      }
    }
    expect(read).toEqual({ out: "one\n3\n", error: "two" });
  });
});

describe("lines", () => {
  const cut = (most: number, ...pieces: readonly (readonly [string, string])[]) => {
    const cutter = new LineCutter(most);
    for (const [stream, text] of pieces) cutter.take(stream, Buffer.from(text));
    return cutter.end();
  };

  it.each<[string, readonly string[], readonly string[]]>([
    ["whole ones", ["one\ntwo\n"], ["one", "two"]],
    ["in pieces", ["o", "ne\ntw", "o\n"], ["one", "two"]],
    ["the last without an end", ["one\ntwo"], ["one", "two"]],
    ["empty ones", ["one\n\ntwo\n"], ["one", "", "two"]],
    ["none", [], []],
    ["of a terminal", ["one\r\ntwo\r\n"], ["one", "two"]],
  ])("%s", (_, pieces, lines) => {
    expect(cut(20, ...pieces.map((text) => ["out", text] as const))).toEqual(lines);
  });

  it("keep their streams apart, in the order in which they end", () => {
    const pieces = [
      ["out", "on"],
      ["error", "bad\n"],
      ["out", "e\n"],
      ["error", "end"],
    ] as const;
    expect(cut(20, ...pieces)).toEqual(["bad", "one", "end"]);
  });

  it("are the last so many", () => {
    expect(cut(2, ["out", "1\n2\n3\n4\n"])).toEqual(["3", "4"]);
    expect(cut(2, ["out", "1\n2\n3"])).toEqual(["2", "3"]);
  });

  it.each([
    ["x".repeat(1_000), "x".repeat(1_000)],
    ["x".repeat(1_001), `${"x".repeat(1_000)}...`],
    ["x".repeat(50_000), `${"x".repeat(1_000)}...`],
    // A letter of several bytes is not shown in part.
    [`${"x".repeat(999)}ä and more`, `${"x".repeat(999)}...`],
  ])("are cut where nobody reads on", (text, shown) => {
    expect(cut(20, ["out", `${text}\nnext\n`])).toEqual([shown, "next"]);
    expect(cut(20, ...[...text].map((letter) => ["out", letter] as const))).toEqual([shown]);
  });
});
