import { afterEach, describe, expect, it } from "vitest";
import { openDockerReader } from "../../../src/engine/docker/open.ts";
import type { EngineReader } from "../../../src/engine/engine.ts";
import { waitFor } from "../../support/wait.ts";
import { NOON, wireContainer, wireLine } from "./builders.ts";
import {
  answerError,
  answerJson,
  type FakeEngine,
  type Handler,
  startFakeEngine,
} from "./fake-engine.ts";

const never = new AbortController().signal;

let engine: FakeEngine | undefined;
let reader: EngineReader | undefined;

afterEach(async () => {
  await reader?.close();
  await engine?.close();
});

/** A reader of an engine that lists these lines and answers an inspect as told for its id or name. */
async function readerOf(
  lines: readonly unknown[],
  inspect: Readonly<Record<string, Handler>>,
  requestTimeoutMs = 1000,
): Promise<EngineReader> {
  engine = await startFakeEngine((seen, answer) => {
    if (seen.path === "/containers/json") return answerJson(answer, lines);
    const [, name = ""] = /^\/containers\/(.+)\/json$/.exec(seen.path) ?? [];
    (inspect[decodeURIComponent(name)] ?? gone)(seen, answer);
  });
  reader = openDockerReader(engine.target, { environment: {}, requestTimeoutMs });
  return reader;
}

const found =
  (id: string, name = id): Handler =>
  (_, answer) =>
    answerJson(answer, wireContainer({ Id: id, Name: `/${name}` }));
const gone: Handler = (_, answer) => answerError(answer, 404, "no such container");
const broken: Handler = (_, answer) => answerError(answer, 500, "layer is damaged");
const hangs: Handler = () => undefined;
const cut: Handler = (_, answer) => answer.destroy();
const nonsense: Handler = (_, answer) => answerJson(answer, { Id: 5 });

describe("listWorkers", () => {
  it("asks for our label, stopped ones too, and inspects each", async () => {
    const opened = await readerOf([wireLine("a"), wireLine("b")], { a: found("a"), b: found("b") });
    const listing = await opened.listWorkers(never);
    expect(listing).toMatchObject({ now: NOON, unknown: [], workers: [{ id: "a" }, { id: "b" }] });
    const query = engine?.seen[0]?.query;
    expect(query?.get("all")).toBe("1");
    expect(query?.get("filters")).toBe('{"label":["dev.wgctl.uid"]}');
  });

  it("inspects only those that are meant", async () => {
    const opened = await readerOf([wireLine("a"), wireLine("b")], { a: hangs, b: found("b") });
    const listing = await opened.listWorkers(never, () => false);
    expect(listing).toMatchObject({ now: NOON, unknown: [], workers: [] });
    expect(engine?.seen.filter(({ path }) => path.endsWith("/a/json"))).toEqual([]);
  });

  it("leaves out one that vanished, and trusts the inspect's name during a rename", async () => {
    const lines = [wireLine("a"), wireLine("b", ["/old", "/new"])];
    const listing = await (await readerOf(lines, { b: found("b", "new") })).listWorkers(never);
    expect(listing.workers.map(({ name }) => name)).toEqual(["new"]);
    expect(listing.unknown).toEqual([]);
  });

  it.each([
    ["fails", broken],
    ["makes no sense", nonsense],
    ["hangs", hangs],
  ])("keeps one as unknown whose inspect %s", async (_, handler) => {
    const opened = await readerOf([wireLine("a"), wireLine("b")], { a: handler, b: found("b") });
    const listing = await opened.listWorkers(never);
    expect(listing.workers.map(({ id }) => id)).toEqual(["b"]);
    expect(listing.unknown).toEqual([{ id: "a", name: "a", labels: { "dev.wgctl.uid": "u1" } }]);
  });

  it.each([
    ["all inspects fail", { a: broken, b: broken }, "engine-failed"],
    ["all inspects hang", { a: hangs, b: hangs }, "engine-timeout"],
    ["the connection is gone", { a: found("a"), b: cut }, "engine-unreachable"],
  ])("throws when %s", async (_, inspect, code) => {
    const opened = await readerOf([wireLine("a"), wireLine("b")], inspect);
    await expect(opened.listWorkers(never)).rejects.toThrow(expect.objectContaining({ code }));
  });

  it("does not throw when one is gone and the only other fails", async () => {
    const opened = await readerOf([wireLine("a"), wireLine("b")], { a: broken });
    expect(await opened.listWorkers(never)).toMatchObject({ workers: [], unknown: [{ id: "a" }] });
  });

  it("has eight inspects in flight, no more", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
    let held: (() => void)[] | undefined = [];
    const holding =
      (id: string): Handler =>
      (seen, answer) => {
        if (held === undefined) found(id)(seen, answer);
        else held.push(() => found(id)(seen, answer));
      };
    const inspect = Object.fromEntries(ids.map((id) => [id, holding(id)]));
    const opened = await readerOf(
      ids.map((id) => wireLine(id)),
      inspect,
      10_000,
    );
    const listing = opened.listWorkers(never);
    await waitFor("eight inspects", () => (held ?? []).length >= 8);
    await opened.inspectWorker("x", never); // a ninth would have come before its answer
    const release = held;
    held = undefined;
    expect(release).toHaveLength(8);
    for (const answerIt of release) answerIt();
    expect((await listing).workers.map(({ id }) => id)).toEqual(ids);
  });

  it("begins no further inspect after the connection was lost", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `c${index}`);
    const opened = await readerOf(
      ids.map((id) => wireLine(id)),
      Object.fromEntries(ids.map((id) => [id, cut])),
    );
    await expect(opened.listWorkers(never)).rejects.toThrow("cannot reach the engine");
    const asked = engine?.seen.length ?? 0;
    expect(asked).toBeLessThan(20);
  });

  it.each([
    ["not a list", {}],
    ["a list of nonsense", [{ Id: "a", Names: "a" }]],
  ])("throws when the list is %s", async (_, lines) => {
    const opened = await readerOf(lines as readonly unknown[], {});
    await expect(opened.listWorkers(never)).rejects.toThrow(
      expect.objectContaining({ code: "engine-failed" }),
    );
  });
});

describe("inspectWorker", () => {
  it("finds by id and by exact name, with the engine's clock", async () => {
    const opened = await readerOf([], { abc: found("abc", "w"), w: found("abc", "w") });
    const expected = { now: NOON, facts: { id: "abc", name: "w" } };
    expect(await opened.inspectWorker("abc", never)).toMatchObject(expected);
    expect(await opened.inspectWorker("w", never)).toMatchObject(expected);
  });

  it("does not take the beginning of an id for a name", async () => {
    const opened = await readerOf([], { ab: found("abc", "w") });
    expect(await opened.inspectWorker("ab", never)).toBeUndefined();
  });

  it("knows nothing of one that is not there, and throws on trouble", async () => {
    const opened = await readerOf([], { a: broken });
    expect(await opened.inspectWorker("x", never)).toBeUndefined();
    await expect(opened.inspectWorker("a", never)).rejects.toThrow("layer is damaged");
  });

  it("cannot be led to another path by a name", async () => {
    const opened = await readerOf([], {});
    await opened.inspectWorker("../images/x", never);
    expect(engine?.seen[0]?.path).toBe("/containers/..%2Fimages%2Fx/json");
  });
});

it("finds the holders of names, whatever state they are in", async () => {
  const odd: Handler = (_, answer) =>
    answerJson(answer, wireContainer({ Id: "odd", Name: "/odd", State: { Status: "unheard of" } }));
  const opened = await readerOf([], { w: found("abc", "w"), odd });
  expect(await opened.findHolders(["w", "free", "odd"], never)).toEqual({
    w: { id: "abc", labels: { "dev.wgctl.uid": "u1" } },
    odd: { id: "odd", labels: { "dev.wgctl.uid": "u1" } },
  });
});

it("has no way to write", async () => {
  const opened = await readerOf([], {});
  expect(Object.keys(opened).sort()).toEqual([
    "close",
    "endpoint",
    "findDigest",
    "findHolders",
    "findId",
    "findMissingNetworks",
    "findSignalled",
    "identify",
    "inspectWorker",
    "listClaims",
    "listWorkers",
    "readLogs",
    "readTemplate",
    "resolveImages",
    "waitForChange",
  ]);
});
