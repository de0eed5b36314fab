import { describe, expect, it, onTestFinished, vi } from "vitest";
import { clientOf, failing, fake, GET, never, POST } from "./clients.ts";
import { answerError, answerJson } from "./fake-engine.ts";

describe("version", () => {
  it.each([
    ["1.41", "1.41"],
    ["1.47", "1.47"],
    ["1.51", "1.51"],
    ["1.99", "1.51"],
  ])("of an engine at %s is %s", async (apiVersion, used) => {
    const engine = await fake((_, answer) => answerJson(answer, {}), { apiVersion });
    const client = clientOf(engine.target);
    await client.call(GET, never);
    await client.call(GET, never);
    expect(engine.seen.map(({ version }) => version)).toEqual([used, used]);
    expect(engine.pings()).toBe(1);
  });

  it.each(["1.40", "1.9"])("%s is refused", async (apiVersion) => {
    const { target, seen } = await fake(() => undefined, { apiVersion });
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("refused", `speaks API ${apiVersion}, wgctl needs 1.41`),
    );
    expect(seen).toEqual([]);
  });

  it("of something that is no Docker engine is nonsense", async () => {
    const { target } = await fake(() => undefined, { apiVersion: "v3" });
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-failed", "no Docker engine"),
    );
  });
});

describe("answers", () => {
  it.each([
    [400, "engine-rejected"],
    [401, "engine-denied"],
    [403, "engine-denied"],
    [404, "engine-not-found"],
    [409, "engine-conflict"],
    [500, "engine-failed"],
    [503, "engine-failed"],
  ])("of status %i are %s, in the engine's words", async (status, code) => {
    const { target } = await fake((_, answer) => answerError(answer, status, " no\n  such thing "));
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      expect.objectContaining({ code, message: "cannot get the thing: no such thing" }),
    );
  });

  it.each([200, 201, 204, 304])("of status %i are success", async (status) => {
    const { target } = await fake((_, answer) => answer.writeHead(status).end());
    await expect(clientOf(target).call(GET, never)).resolves.toMatchObject({ text: "" });
  });

  it("that redirect are nonsense", async () => {
    const { target } = await fake((_, answer) => answer.writeHead(301).end());
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-failed", "301"),
    );
  });

  it.each([
    ["plain text", "page\nnot found", "cannot get the thing: page not found"],
    ["nothing", "", "cannot get the thing: HTTP status 500"],
    ["other JSON", "[1]", "cannot get the thing: [1]"],
  ])("fail with %s too", async (_, body, message) => {
    const { target } = await fake((__, answer) => answer.writeHead(500).end(body));
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(message);
  });

  it("fail with endless words cut short", async () => {
    const { target } = await fake((_, answer) => {
      answer.writeHead(500);
      const more = () => {
        while (!answer.destroyed && answer.write("x".repeat(60_000)));
        answer.once("drain", more);
      };
      more();
    });
    const error = await clientOf(target).call(GET, never).catch(String);
    expect(error).toMatch(/^WgctlError: cannot get the thing: x{500}\.\.\.$/);
  });

  it.each([
    ["not JSON", "{"],
    ["empty", ""],
  ])("that are %s are nonsense to read", async (_, body) => {
    const { target } = await fake((__, answer) => answer.end(body));
    await expect(clientOf(target).read(GET, never)).rejects.toThrow(
      failing("engine-failed", "it is not JSON"),
    );
  });

  it("without a date are nonsense to whoever asks for the time", async () => {
    const { target } = await fake((_, answer) => {
      answer.removeHeader("Date");
      answer.sendDate = false;
      answerJson(answer, {});
    });
    const { date } = await clientOf(target).read(GET, never);
    expect(date).toThrow(failing("engine-failed", "date"));
  });

  it("carry the engine's clock", async () => {
    const { target } = await fake((_, answer) => answerJson(answer, {}));
    const { date } = await clientOf(target).read(GET, never);
    expect(date()).toBe(Date.UTC(2026, 10, 29, 12));
  });
});

it("sends a body as JSON with its length, and a query", async () => {
  const engine = await fake((_, answer) => answerJson(answer, {}));
  await clientOf(engine.target).call({ ...POST, query: { name: "a b&c" } }, never);
  const [seen] = engine.seen;
  expect(seen).toMatchObject({ method: "POST", path: "/thing", body: '{"a":1}' });
  expect(seen?.query.get("name")).toBe("a b&c");
  expect(seen?.headers).toMatchObject({
    "content-type": "application/json",
    "content-length": "7",
  });
});

it("serves many calls under one signal without a warning, and keeps their connections", async () => {
  const warned = vi.spyOn(process, "emitWarning");
  onTestFinished(() => warned.mockRestore());
  const engine = await fake((_, answer) => answerJson(answer, {}));
  const client = clientOf(engine.target);
  const { signal } = new AbortController();
  for (let round = 0; round < 4; round++) {
    await Promise.all(Array.from({ length: 20 }, () => client.call(GET, signal)));
  }
  expect(warned).not.toHaveBeenCalled();
  expect(engine.seen).toHaveLength(80);
  expect(engine.connections()).toBeLessThanOrEqual(20);
});

it("finds the engine again after its restart", async () => {
  const engine = await fake((_, answer) => answerJson(answer, {}));
  const client = clientOf(engine.target);
  await client.call(GET, never);
  engine.cutConnections();
  await expect(client.call(GET, never)).resolves.toMatchObject({ text: "{}" });
});
