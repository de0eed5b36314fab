import { afterEach, describe, expect, it } from "vitest";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import type { CreateRequest, Engine } from "../../../src/engine/engine.ts";
import { wireContainer, wireState } from "./builders.ts";
import {
  answerError,
  answerJson,
  type FakeEngine,
  type Handler,
  type SeenRequest,
  startFakeEngine,
} from "./fake-engine.ts";

const never = new AbortController().signal;
let fake: FakeEngine;
let engine: Engine;

afterEach(async () => {
  await engine.close();
  await fake.close();
});

/** An engine that answers as the table says for `METHOD /path`, and with 204 to anything else. */
async function open(
  table: Readonly<Record<string, Handler>> = {},
  apiVersion = "1.47",
): Promise<Engine> {
  const answerAs: Handler = (seen, answer) => (table[lineOf(seen)] ?? noContent)(seen, answer);
  fake = await startFakeEngine(answerAs, { apiVersion });
  engine = openDockerEngine(fake.target, { environment: {} });
  return engine;
}

const noContent: Handler = (_, answer) => answer.writeHead(204).end();
const lineOf = ({ method, path }: SeenRequest) => `${method} ${path}`;
const seenLines = () => fake.seen.map((seen) => `${lineOf(seen)} ${seen.query.toString()}`.trim());

const request: CreateRequest = {
  name: "mailer-1",
  labels: { "dev.wgctl.uid": "u1" },
  template: { image: "mailer:1", networks: { a: {}, b: { aliases: ["x"] }, c: {} } },
};
const created: Handler = (_, answer) => answerJson(answer, { Id: "abc", Warnings: [] }, 201);
const failing =
  (status: number, message: string): Handler =>
  (_, answer) =>
    answerError(answer, status, message);

describe("createWorker", () => {
  it("makes a container under its name and answers with its id", async () => {
    const opened = await open({ "POST /containers/create": created });
    expect(await opened.createWorker(request, never)).toBe("abc");
    expect(seenLines()).toEqual(["POST /containers/create name=mailer-1"]);
    expect(JSON.parse(fake.seen[0]?.body ?? "")).toMatchObject({
      Image: "mailer:1",
      Labels: { "dev.wgctl.uid": "u1" },
    });
  });

  it("connects further networks afterwards on an old engine", async () => {
    const opened = await open({ "POST /containers/create": created }, "1.41");
    expect(await opened.createWorker(request, never)).toBe("abc");
    expect(seenLines()).toEqual([
      "POST /containers/create name=mailer-1",
      "POST /networks/b/connect",
      "POST /networks/c/connect",
    ]);
    expect(JSON.parse(fake.seen[1]?.body ?? "")).toEqual({
      Container: "abc",
      EndpointConfig: { Aliases: ["x"] },
    });
  });

  it("removes what it made when a network cannot be connected, and says what failed", async () => {
    const table = {
      "POST /containers/create": created,
      "POST /networks/b/connect": failing(404, "network b not found"),
    };
    const opened = await open(table, "1.41");
    await expect(opened.createWorker(request, never)).rejects.toThrow(
      expect.objectContaining({
        code: "engine-not-found",
        message: "cannot connect the container mailer-1 to the network b: network b not found",
      }),
    );
    expect(seenLines().at(-1)).toBe("DELETE /containers/abc v=1&force=0");
  });

  it("tells the first failure when the removal fails too", async () => {
    const table = {
      "POST /containers/create": created,
      "POST /networks/b/connect": failing(500, "no address left"),
      "DELETE /containers/abc": failing(500, "busy"),
    };
    const opened = await open(table, "1.41");
    await expect(opened.createWorker(request, never)).rejects.toThrow("no address left");
  });

  it.each([
    [409, "engine-conflict"],
    [404, "engine-not-found"],
    [400, "engine-rejected"],
  ])("passes on status %i as %s", async (status, code) => {
    const opened = await open({ "POST /containers/create": failing(status, "because") });
    await expect(opened.createWorker(request, never)).rejects.toThrow(
      expect.objectContaining({ code, message: "cannot create the container mailer-1: because" }),
    );
  });

  it("does not take an answer without an id for success", async () => {
    const opened = await open({ "POST /containers/create": (_, answer) => answerJson(answer, {}) });
    await expect(opened.createWorker(request, never)).rejects.toThrow(
      expect.objectContaining({ code: "engine-failed" }),
    );
  });
});

describe("one call each", () => {
  it.each<[string, (opened: Engine) => Promise<void>, string, string]>([
    ["start", (opened) => opened.startWorker("abc", never), "POST /containers/abc/start", ""],
    [
      "rename",
      (opened) => opened.renameWorker("abc", "w.stopping-1", never),
      "POST /containers/abc/rename name=w.stopping-1",
      "",
    ],
    [
      "signal",
      (opened) => opened.signalWorker("abc", "SIGTERM", never),
      "POST /containers/abc/kill signal=SIGTERM",
      "",
    ],
    [
      "disarm",
      (opened) => opened.setRestartPolicy("abc", "no", never),
      "POST /containers/abc/update",
      '{"RestartPolicy":{"Name":"no"}}',
    ],
    [
      "arm",
      (opened) => opened.setRestartPolicy("abc", "on-failure:5", never),
      "POST /containers/abc/update",
      '{"RestartPolicy":{"Name":"on-failure","MaximumRetryCount":5}}',
    ],
    [
      "remove",
      (opened) => opened.removeWorker("abc", never),
      "DELETE /containers/abc v=1&force=0",
      "",
    ],
    [
      "remove, but what is in its volumes",
      (opened) => opened.removeWorker("abc", never, "volumes"),
      "DELETE /containers/abc v=0&force=0",
      "",
    ],
  ])("%s", async (_, act, line, body) => {
    await act(await open());
    expect(seenLines()).toEqual([line]);
    expect(fake.seen[0]?.body).toBe(body);
  });

  it("start of a running container is success", async () => {
    const opened = await open({
      "POST /containers/abc/start": (_, answer) => answer.writeHead(304).end(),
    });
    await expect(opened.startWorker("abc", never)).resolves.toBeUndefined();
  });
});

describe("removeWorker", () => {
  const inState =
    (status: string): Handler =>
    (_, answer) =>
      answerJson(answer, wireContainer({ Id: "abc", State: wireState({ Status: status }) }));
  const conflict = failing(409, "whatever the engine says");

  it.each<[string, Readonly<Record<string, Handler>>]>([
    ["gone", { "DELETE /containers/abc": failing(404, "no such container") }],
    [
      "being removed",
      { "DELETE /containers/abc": conflict, "GET /containers/abc/json": inState("removing") },
    ],
    [
      "gone since",
      { "DELETE /containers/abc": conflict, "GET /containers/abc/json": failing(404, "gone") },
    ],
  ])("is done when it is %s", async (_, table) => {
    await expect((await open(table)).removeWorker("abc", never)).resolves.toBeUndefined();
  });

  it.each(["running", "restarting", "paused"])("is a conflict when it is %s", async (status) => {
    const table = {
      "DELETE /containers/abc": conflict,
      "GET /containers/abc/json": inState(status),
    };
    await expect((await open(table)).removeWorker("abc", never)).rejects.toThrow(
      expect.objectContaining({ code: "engine-conflict" }),
    );
  });
});
