import { describe, expect, it } from "vitest";
import type { Capacity } from "../../../src/engine/simulated/script.ts";
import { never, openBench, SECOND } from "./bench.ts";

describe("room", () => {
  it.each<[string, Capacity, number]>([
    ["any number", {}, 5],
    ["three workers", { workers: 3 }, 3],
    ["two CPUs", { cpus: 2 }, 4],
    ["a gigabyte", { memory: 1024 ** 3 }, 2],
  ])("for %s", async (_, capacity, expected) => {
    const { create, engine, run } = openBench({ capacity });
    let running = 0;
    for (const index of [1, 2, 3, 4, 5]) {
      const id = await create(`mailer-${index}`, { cpus: 0.5, mem_limit: 512 * 1024 ** 2 });
      const outcome = await engine.startWorker(id, never).catch((error) => error.code);
      running += outcome === undefined ? 1 : 0;
      if (outcome === undefined) continue;
      expect(outcome).toBe("engine-failed");
      expect(await run(id)).toMatchObject({ kind: "created", error: /no|all/ });
    }
    expect(running).toBe(expected);
  });

  it.each<[string, object, object, boolean]>([
    ["the same port", { published: "80" }, { published: "80" }, true],
    ["another port", { published: "80" }, { published: "81" }, false],
    ["another protocol", { published: "80" }, { published: "80", protocol: "udp" }, false],
    [
      "addresses of their own",
      { published: "80", host_ip: "10.0.0.1" },
      { published: "80", host_ip: "10.0.0.2" },
      false,
    ],
    [
      "one address and all of them",
      { published: "80", host_ip: "10.0.0.1" },
      { published: "80" },
      true,
    ],
    ["whatever the engine picks", {}, {}, false],
  ])("on a host port: %s", async (_, first, second, isTaken) => {
    const { start, create, engine } = openBench();
    const port = (more: object) => ({ ports: [{ target: 80, protocol: "tcp" as const, ...more }] });
    await start("mailer-1", port(first));
    const id = await create("mailer-2", port(second));
    const outcome = await engine.startWorker(id, never).catch((error) => error.code);
    expect(outcome).toBe(isTaken ? "engine-failed" : undefined);
  });

  it("is given back while a worker waits for its restart, which the next holder then ends", async () => {
    const { start, engine, run } = openBench({
      lives: [{ match: { name: "a" }, end: { after: 1, code: 1 } }],
    });
    const port = { ports: [{ target: 80, published: "80", protocol: "tcp" as const }] };
    const id = await start("a-1", { ...port, restart: "always" });
    engine.advance(1 * SECOND);
    await start("b-1", port);
    engine.advance(1 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "exited", exitCode: 1, error: /80/ });
  });
});
