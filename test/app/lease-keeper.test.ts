// The lease of runs on different machines, on an engine in memory whose time is theirs too.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeaseClaims } from "../../src/app/lease-claims.ts";
import { LeaseKeeper } from "../../src/app/lease-keeper.ts";
import { WgctlError } from "../../src/core/errors.ts";
import { releasedLabels } from "../../src/core/lease.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { waitFor } from "../support/wait.ts";

const NEVER = new AbortController().signal;
const PROJECT = "p1";
const DOWN = new WgctlError("engine-unreachable", "the engine is down");

class Writer {
  readonly keeper: LeaseKeeper;
  readonly waits: string[] = [];
  /** What the clock is to call next. */
  alarm: () => void = () => undefined;

  constructor(engine: FakeEngine, name: string, waitMs = 0, scope?: string) {
    const facts = { pid: 1, user: name, host: "h", command: "wgctl apply", startedAt: "then" };
    const tenant = () => ({ token: name, facts, scope });
    const terms = { projectUid: PROJECT, tenant, durationMs: 60_000, waitMs };
    this.keeper = new LeaseKeeper(engine, terms, {
      ticks: () => engine.now,
      startTimer: (_, onDue) => {
        this.alarm = onDue;
        return () => {
          this.alarm = () => undefined;
        };
      },
      onWait: (holder) => this.waits.push(holder),
    });
  }

  secure(signal = NEVER): Promise<boolean> {
    return this.keeper.secure(signal);
  }

  async mayAct(): Promise<boolean> {
    return this.keeper.permit(NEVER).then(
      () => true,
      () => false,
    );
  }

  release(): Promise<void> {
    return this.keeper.release(NEVER);
  }
}

const numbers = (engine: FakeEngine) =>
  [...engine.claims.keys()].map((name) => Number(name.split("-").at(-1)));

const codeOf = (error: unknown) => (error instanceof WgctlError ? error.code : String(error));
const outcome = (work: Promise<unknown>) => work.then(String, codeOf);

describe("taking the lease", () => {
  it("is told once, so that the engine is looked at again, and leaves one claim", async () => {
    const engine = new FakeEngine();
    const writer = new Writer(engine, "one");
    expect(await writer.secure()).toBe(true);
    expect(await writer.secure()).toBe(false);
    expect(numbers(engine)).toEqual([1]);
    expect(await writer.mayAct()).toBe(true);
  });

  it("another is refused, and told who has it", async () => {
    const engine = new FakeEngine();
    await new Writer(engine, "one").secure();
    const other = new Writer(engine, "two");
    await expect(other.secure()).rejects.toMatchObject({
      code: "lock-held",
      message: expect.stringMatching(/held by pid 1 \(one@h, since then\): wgctl apply; taken /),
    });
    expect(await other.mayAct()).toBe(false);
  });

  it("of eight at once goes to one", async () => {
    const engine = new FakeEngine();
    const writers = Array.from({ length: 8 }, (_, index) => new Writer(engine, `w${index}`));
    const results = await Promise.all(writers.map((writer) => outcome(writer.secure())));
    expect(results.filter((result) => result === "true")).toHaveLength(1);
    expect(results.filter((result) => result === "lock-held")).toHaveLength(7);
  });

  it("does not come of a number that was used and dropped since it was looked for", async () => {
    const engine = new FakeEngine();
    const slow = new Writer(engine, "slow");
    const goOn = engine.hold("claim");
    const slowly = outcome(slow.secure());
    await waitFor("the claim to be asked for", () => engine.held("claim") === 1);
    engine.hold("claim");
    engine.claims.set(`wgctl-lease-${PROJECT}-2`, releasedLabels(PROJECT, FACTS));
    goOn();
    await waitFor("a second try", () => engine.held("claim") === 1);
    expect(await slow.mayAct()).toBe(false);
    expect(numbers(engine)).not.toContain(3);
    void slowly;
  });

  it("passes at once from who was killed to who holds the same process lock now", async () => {
    const engine = new FakeEngine();
    const killed = new Writer(engine, "killed", 0, "lock");
    await killed.secure();
    expect(await outcome(new Writer(engine, "far", 0, "other").secure())).toBe("lock-held");
    const next = new Writer(engine, "next", 0, "lock");
    expect(await next.secure()).toBe(true);
    await killed.secure();
    expect(await killed.mayAct()).toBe(false);
  });

  it("survives a lost answer, and fails where nothing was made", async () => {
    const engine = new FakeEngine();
    engine.fail("claim", DOWN, "after");
    expect(await new Writer(engine, "one").secure()).toBe(true);
    const deaf = new FakeEngine();
    deaf.fail("claim", DOWN, "before");
    const writer = new Writer(deaf, "one");
    expect(await outcome(writer.secure())).toBe("engine-unreachable");
    expect(await writer.secure()).toBe(true);
  });

  it("is given up where the engine keeps no claims", async () => {
    const engine = new FakeEngine();
    engine.makeClaim = async () => undefined;
    expect(await outcome(new Writer(engine, "one").secure())).toBe("engine-failed");
  });

  it("is not tried by a run that is stopping", async () => {
    const engine = new FakeEngine();
    expect(await new Writer(engine, "one").secure(AbortSignal.abort())).toBe(false);
    expect(engine.claims.size).toBe(0);
  });

  it("is not had from labels that nobody can read", async () => {
    const engine = new FakeEngine();
    engine.claims.set(`wgctl-lease-${PROJECT}-4`, {});
    expect(await outcome(new Writer(engine, "one").secure())).toBe("lock-held");
  });
});

describe("waiting for the lease", () => {
  it("ends when its holder gives it back", async () => {
    const engine = new FakeEngine();
    const first = new Writer(engine, "one");
    await first.secure();
    const second = new Writer(engine, "two", 30_000);
    engine.onWait = () => {
      if (second.waits.length > 0) void first.release();
    };
    expect(await second.secure()).toBe(true);
    expect(second.waits).toEqual([expect.stringContaining("(one@h, since then)")]);
    expect(await first.mayAct()).toBe(false);
  });

  it("ends with its time, or with the run", async () => {
    const engine = new FakeEngine();
    await new Writer(engine, "one").secure();
    const patient = new Writer(engine, "two", 5_000);
    await expect(patient.secure()).rejects.toThrow(/\(waited 5s\)$/);
    const stop = new AbortController();
    engine.onWait = () => stop.abort();
    expect(await new Writer(engine, "three", 30_000).secure(stop.signal)).toBe(false);
  });

  it("for one who was killed ends with the lease, and no sooner", async () => {
    const engine = new FakeEngine();
    await new Writer(engine, "killed").secure();
    const next = new Writer(engine, "next");
    engine.now += 59_000;
    expect(await outcome(next.secure())).toBe("lock-held");
    engine.now += 1_000;
    expect(await next.secure()).toBe(true);
    expect(numbers(engine)).toEqual([2]);
  });
});

describe("keeping the lease", () => {
  async function held() {
    const engine = new FakeEngine();
    const writer = new Writer(engine, "one");
    await writer.secure();
    return { engine, writer, other: new Writer(engine, "two") };
  }

  it("is renewed once a third of its time has gone, as the next number", async () => {
    const { engine, writer, other } = await held();
    engine.now += 19_000;
    await writer.mayAct();
    expect(numbers(engine)).toEqual([1]);
    engine.now += 1_000;
    expect(await writer.mayAct()).toBe(true);
    expect(numbers(engine)).toEqual([2]);
    engine.now += 59_000;
    expect(await outcome(other.secure())).toBe("lock-held");
  });

  it("is renewed during one long call, by the clock", async () => {
    const { engine, writer } = await held();
    engine.now += 25_000;
    writer.alarm();
    await waitFor("the renewal", () => numbers(engine).includes(2));
    engine.now += 45_000;
    writer.alarm();
    await waitFor("the next renewal", () => numbers(engine).includes(3));
    expect(writer.keeper.lost.aborted).toBe(false);
  });

  it("many calls at once renew once", async () => {
    const { engine, writer } = await held();
    engine.now += 30_000;
    const permits = await Promise.all(Array.from({ length: 6 }, () => writer.mayAct()));
    expect(permits).toEqual(Array(6).fill(true));
    expect(numbers(engine)).toEqual([2]);
  });

  it("ends when another took it over, and the run learns of it before its next call", async () => {
    const { engine, writer, other } = await held();
    engine.now += 61_000;
    expect(await other.secure()).toBe(true);
    expect(await writer.mayAct()).toBe(false);
    expect(writer.keeper.lost.aborted).toBe(true);
    expect(writer.keeper.loss).toMatchObject({
      isTaken: true,
      message: expect.stringContaining("taken over by pid 1 (two@h"),
    });
    expect(await writer.secure()).toBe(false);
    await writer.release();
    expect(await other.mayAct()).toBe(true);
  });

  it("goes on after a pause in which nobody took it", async () => {
    const { engine, writer } = await held();
    engine.now += 300_000;
    expect(await writer.mayAct()).toBe(true);
    expect(numbers(engine)).toEqual([2]);
  });

  it("ends when its volume was removed: the next look tells", async () => {
    const { engine, writer } = await held();
    engine.claims.clear();
    await writer.secure();
    expect(writer.keeper.loss).toMatchObject({
      isTaken: false,
      message: expect.stringContaining("somebody removed its volume"),
    });
  });

  it("ends when somebody unlocked it", async () => {
    const { engine, writer } = await held();
    const claims = new LeaseClaims(engine, PROJECT);
    await claims.makeNext(await claims.read(NEVER), releasedLabels(PROJECT, FACTS), NEVER);
    await writer.secure();
    expect(writer.keeper.loss?.message).toMatch(/released by pid 9 \(admin@h/);
  });

  it("goes on through failures as long as it lasts, and no longer", async () => {
    const { engine, writer } = await held();
    engine.fail("claims", DOWN, "before", 100);
    engine.now += 58_000;
    expect(await writer.mayAct()).toBe(true);
    engine.now += 1_000;
    expect(await writer.mayAct()).toBe(false);
    expect(writer.keeper.loss).toEqual({
      isTaken: false,
      message: "the lease could not be renewed in time: the engine is down",
    });
  });
});

describe("giving the lease back", () => {
  it("lets the next take it at once, and leaves one claim", async () => {
    const engine = new FakeEngine();
    const first = new Writer(engine, "one");
    await first.secure();
    await first.release();
    expect(numbers(engine)).toEqual([2]);
    expect(await first.mayAct()).toBe(false);
    expect(await new Writer(engine, "two").secure()).toBe(true);
  });

  it("gives nothing back that another has by now", async () => {
    const engine = new FakeEngine();
    const first = new Writer(engine, "one");
    await first.secure();
    engine.now += 60_000;
    const other = new Writer(engine, "two");
    await other.secure();
    await first.release();
    await other.secure();
    expect(await other.mayAct()).toBe(true);
  });

  it("makes no call where it was never taken, and tells no failure", async () => {
    const engine = new FakeEngine();
    engine.fail("claims", DOWN, "before", 1);
    await new Writer(engine, "one").release();
    expect(await outcome(new Writer(engine, "one").secure())).toBe("engine-unreachable");
    const writer = new Writer(engine, "two");
    await writer.secure();
    engine.fail("claims", DOWN, "before", 1);
    await writer.release();
  });
});

describe("whatever writers do, and whatever calls of theirs fail,", () => {
  const move = fc.oneof(
    fc.record({ kind: fc.constant("secure" as const), who: fc.nat(2) }),
    fc.record({ kind: fc.constant("secure-all" as const) }),
    fc.record({ kind: fc.constant("release" as const), who: fc.nat(2) }),
    fc.record({ kind: fc.constant("alarm" as const), who: fc.nat(2) }),
    fc.record({ kind: fc.constant("pass" as const), seconds: fc.integer({ min: 1, max: 70 }) }),
    fc.record({
      kind: fc.constant("fail" as const),
      call: fc.constantFrom("claims" as const, "claim" as const, "drop" as const),
      when: fc.constantFrom("before" as const, "after" as const),
    }),
  );
  type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

  async function play(engine: FakeEngine, writers: readonly Writer[], next: Move): Promise<void> {
    switch (next.kind) {
      case "secure":
        await outcome(writers[next.who]?.secure() ?? Promise.resolve());
        return;
      case "secure-all":
        await Promise.all(writers.map((writer) => outcome(writer.secure())));
        return;
      case "release":
        await writers[next.who]?.release();
        return;
      case "alarm":
        writers[next.who]?.alarm();
        return;
      case "pass":
        engine.now += next.seconds * 1_000;
        return;
      case "fail":
        engine.fail(next.call, DOWN, next.when);
    }
  }

  it("at most one may act, and its claim is the highest", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 30 }), async (moves) => {
        const engine = new FakeEngine();
        const writers = ["a", "b", "c"].map((name) => new Writer(engine, name));
        for (const each of moves) {
          await play(engine, writers, each);
          const permits = await Promise.all(writers.map((writer) => writer.mayAct()));
          expect(permits.filter((may) => may).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("in whatever order the calls of several writers arrive,", () => {
  /** The engine, each of whose calls on claims arrives when the scheduler says so, and is answered likewise. */
  function delayed(engine: FakeEngine, scheduler: fc.Scheduler): FakeEngine {
    const slow = new FakeEngine();
    const way = () => scheduler.schedule(Promise.resolve());
    const there = async <T>(call: () => Promise<T>): Promise<T> => {
      await way();
      const answer = await call();
      await way();
      return answer;
    };
    slow.listClaims = (prefix, signal) => there(() => engine.listClaims(prefix, signal));
    slow.makeClaim = (claim, signal) => there(() => engine.makeClaim(claim, signal));
    slow.dropClaim = (name, signal) => there(() => engine.dropClaim(name, signal));
    return slow;
  }

  it("one at a time is let in, and at the end one claim is left", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const engine = new FakeEngine();
        let inside = 0;
        let most = 0;
        const visit = async (name: string) => {
          const writer = new Writer(delayed(engine, scheduler), name);
          if ((await outcome(writer.secure())) !== "true") return;
          inside += 1;
          most = Math.max(most, inside);
          await scheduler.schedule(Promise.resolve());
          inside -= 1;
          await writer.release();
        };
        const visits = async (name: string) => {
          for (const round of [1, 2, 3]) await visit(`${name}${round}`);
        };
        await scheduler.waitFor(Promise.all(["a", "b", "c"].map(visits)));
        expect(most).toBe(1);
        expect(numbers(engine)).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});

const FACTS = { pid: 9, user: "admin", host: "h", command: "wgctl unlock", startedAt: "then" };
