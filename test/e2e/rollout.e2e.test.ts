import { describe, expect, it } from "vitest";
import { engineTime, type ListedContainer } from "../support/engine.ts";
import { observe, type Sample } from "../support/observer.ts";
import { waitFor } from "../support/wait.ts";
import { type ContainerEvent, containerEvents, eventLines } from "./events.ts";
import { bySlot, HEALTH_CHECK, idsOf, openStage, type Spec, type Stage, slotOf } from "./stage.ts";

const OLD = { environment: { QUEUE: "mail" } };
const NEW = { environment: { QUEUE: "letters" } };

/** Rolls a group from the old template to the new one while an outsider looks on. */
async function roll(stage: Stage, spec: Spec): Promise<readonly Sample[]> {
  const before = await stage.converge({ template: OLD, ...spec });
  const samples = await watchDuring(stage, () => stage.converge({ ...spec, template: NEW }));
  const after = await stage.workers();
  expect(Object.keys(bySlot(after))).toEqual(Object.keys(bySlot(before)));
  expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
  await stage.expectNothingToDo();
  return samples;
}

async function watchDuring(stage: Stage, work: () => Promise<unknown>): Promise<readonly Sample[]> {
  const observer = observe(stage.label);
  try {
    await work();
  } finally {
    await observer.stop();
  }
  return observer.stop();
}

const LEAVING = /\.(draining|stopping|kept|failed)-\d+$/;

/** Workers whose process runs and that nobody has asked to stop: never more than run. */
function serving({ containers }: Sample): number {
  return containers.filter(({ state, name }) => state === "running" && !LEAVING.test(name)).length;
}

const revisionsRunning = ({ containers }: Sample) =>
  new Set(
    containers
      .filter(({ state }) => state === "running")
      .map(({ labels }) => labels["dev.wgctl.revision"]),
  );

describe("a rolling update of 4 workers, seen from outside every 50 ms", () => {
  // the limits are kept, and they are made use of
  it.each([
    { rollout: {}, least: 3, most: 4 },
    { rollout: { maxSurge: "30%", maxUnavailable: "30%" }, least: 3, most: 6 },
  ])(
    "$rollout: at least $least serve and at most $most exist",
    async ({ rollout, least, most }) => {
      const samples = await roll(openStage(), { replicas: 4, rollout });
      expect(Math.min(...samples.map(serving))).toBe(least);
      expect(Math.max(...samples.map(({ existing }) => existing))).toBe(most);
    },
  );

  it("Recreate: old and new never run together", async () => {
    const stage = openStage();
    const since = await engineTime();
    // each slot takes another time to stop, so that the first is gone long before the last
    const template = { environment: { TERM_SECONDS: "{{.Task.Slot}}" } };
    const rollout = { strategy: "Recreate" };
    const samples = await roll(stage, { replicas: 3, template, rollout });
    const revisions = samples.map(revisionsRunning);
    expect(Math.max(...revisions.map(({ size }) => size))).toBe(1);
    expect(new Set(revisions.flatMap((each) => [...each])).size).toBe(2);
    const lines = eventLines(await containerEvents(since, stage.label), ["create", "die"]);
    const kinds = lines.map((line) => line.split(" ")[0]);
    expect(kinds.join(" ")).toBe("create create create die die die create create create");
  });
});

describe("a rolling update of 6 workers with a health check, seen from outside every 50 ms", () => {
  const healthy = ({ containers }: Sample) =>
    containers.filter(({ isHealthy, name }) => isHealthy && !LEAVING.test(name)).length;

  it.each([
    { rollout: { maxUnavailable: 2 }, least: 4, most: 6 },
    { rollout: { maxSurge: 2, maxUnavailable: 0 }, least: 6, most: 8 },
  ])(
    "$rollout: at least $least are healthy and at most $most exist",
    async ({ rollout, least, most }) => {
      const stage = openStage();
      const spec = (queue: string) => ({
        replicas: 6,
        rollout,
        template: {
          healthcheck: HEALTH_CHECK,
          environment: { HEALTH: "file", HEALTHY_AFTER: "0", QUEUE: queue },
        },
      });
      await stage.converge(spec("mail"));
      const samples = await watchDuring(stage, () => stage.converge(spec("letters")));
      expect(Math.min(...samples.map(healthy))).toBe(least);
      expect(Math.max(...samples.map(({ existing }) => existing))).toBe(most);
      await stage.expectNothingToDo();
    },
  );
});

describe("the pace of a rolling update", () => {
  it("takes the next worker only when the last one is healthy", async () => {
    const stage = openStage();
    const since = await engineTime();
    const template = {
      healthcheck: HEALTH_CHECK,
      environment: { HEALTH: "file", HEALTHY_AFTER: "0" },
    };
    const before = await stage.converge({ replicas: 2, template });
    await stage.converge({
      replicas: 2,
      template: { ...template, environment: { HEALTH: "file", HEALTHY_AFTER: "1" } },
    });
    const events = await containerEvents(since, stage.label);
    const retired = before.map(({ id }) => moment(events, id, "rename"));
    const healthy = (await stage.workers()).map(({ id }) =>
      moment(events, id, "health_status: healthy"),
    );
    expect(retired[1]).toBeGreaterThan(healthy[0] ?? 0);
  });

  it("takes the next worker only when the last one has been ready for minReadySeconds", async () => {
    const stage = openStage();
    const since = await engineTime();
    const rollout = { minReadySeconds: 2 };
    const before = await stage.converge({ replicas: 2, template: OLD, rollout });
    const after = await stage.converge({ replicas: 2, template: NEW, rollout });
    const events = await containerEvents(since, stage.label);
    const [first, second] = [after[0], before[1]].map((worker) => worker?.id ?? "");
    const started = moment(events, first ?? "", "start");
    // ready since a moment before the event says so
    expect(moment(events, second ?? "", "rename") - started).toBeGreaterThan(1_500);
  });

  it("gives way to a scale-down: what is above the count is not replaced first", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 4, template: OLD });
    const since = await engineTime();
    const after = await stage.converge({ replicas: 2, template: NEW });
    expect(after.map(slotOf)).toEqual([1, 2]);
    const lines = eventLines(await containerEvents(since, stage.label), ["create"]);
    expect([...lines].sort()).toEqual(["create 1", "create 2"]);
  });

  it("goes on where an interrupted run left it, and never over the limits (R8)", async () => {
    const stage = openStage();
    const before = await stage.converge({
      replicas: 3,
      template: { environment: { TERM_SECONDS: "1" } },
    });
    await stage.declare({ replicas: 3, template: NEW });
    const samples = await watchDuring(stage, async () => {
      await interruptInTheMiddle(stage, before);
      await stage.expectExit(0, ["apply"]);
    });
    expect(Math.min(...samples.map(serving))).toBe(2);
    expect(Math.max(...samples.map(({ existing }) => existing))).toBe(3);
    const after = await stage.workers();
    expect(after.map(slotOf)).toEqual([1, 2, 3]);
    expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
  });

  /** Sends Ctrl-C as soon as the first worker has been asked to stop. */
  async function interruptInTheMiddle(
    stage: Stage,
    before: readonly ListedContainer[],
  ): Promise<void> {
    let pid = 0;
    const run = stage.expectExit(130, ["apply"], {
      onStart: (started) => {
        pid = started;
      },
    });
    const watching = waitFor("a worker to be asked to stop", async () =>
      (await stage.workers()).some(({ name }) => LEAVING.test(name)),
    ).then(() => process.kill(pid, "SIGINT"));
    await Promise.all([run, watching]);
    const left = idsOf(await stage.workers()).filter((id) => idsOf(before).includes(id));
    expect(left.length).toBeGreaterThanOrEqual(2);
  }
});

function moment(events: readonly ContainerEvent[], id: string, action: string): number {
  const found = events.find((event) => event.id === id && event.action === action);
  if (found === undefined) throw new Error(`${id} never had the event ${action}`);
  return found.at;
}
