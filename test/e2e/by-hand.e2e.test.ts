// Rolling by hand: what restart and delete write into a manifest in Git, and what the next apply makes of it.

import { expect, it } from "vitest";
import { Checkout } from "../support/checkout.ts";
import { engineTime, RUN_LABEL } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { observe, type Sample } from "../support/observer.ts";
import { containerEvents, eventLines } from "./events.ts";
import { bySlot, idsOf, openStage, type Stage } from "./stage.ts";

const REPLICAS = 3;

/** A manifest as a person writes it, in a repository with one commit. */
async function inGit(stage: Stage): Promise<Checkout> {
  await stage.declare();
  await stage.write(
    "groups/mailer.yaml",
    `# Queue consumers.
apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata:
  name: ${stage.group}
  uid: ${stage.uid} # never changes
spec:
  replicas: ${REPLICAS}   # enough
  template:
    image: ${TEST_IMAGE}
    environment: {UMASK: "0644", TERM_SECONDS: '1'}
    stop_grace_period: 30s
    labels: {${RUN_LABEL}: "${stage.run}"}
  rollout: {minReadySeconds: 0}
`,
  );
  await stage.write(".gitignore", ".wgctl\n");
  return Checkout.in(stage.folder);
}

/** Lines added and removed, by file. */
const numstat = (checkout: Checkout) => checkout.git("diff", "--numstat");

const serving = ({ containers }: Sample) =>
  containers.filter(
    ({ state, name }) => state === "running" && !/\.(stopping|kept)-\d+$/.test(name),
  ).length;

it("restart rolls all workers one by one; its diff is one line", async () => {
  const stage = openStage();
  const checkout = await inGit(stage);
  await stage.expectExit(0, ["apply"]);
  const before = await stage.workers();
  await stage.expectExit(0, ["restart", stage.group]);
  expect(numstat(checkout)).toBe("1\t0\tgroups/mailer.yaml");
  const { actions, deferred } = await stage.plan();
  expect(new Set([...actions, ...deferred].map(({ reason }) => reason))).toEqual(
    new Set(["nonce"]),
  );
  const observer = observe(stage.label);
  await stage.expectExit(0, ["apply"]).finally(() => observer.stop());
  const samples = await observer.stop();
  const after = await stage.workers();
  expect(Math.min(...samples.map(serving))).toBe(REPLICAS - 1);
  expect(Math.max(...samples.map(({ existing }) => existing))).toBe(REPLICAS);
  expect(Object.keys(bySlot(after))).toEqual(Object.keys(bySlot(before)));
  expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
  await stage.expectNothingToDo();
});

it("restart twice is two rollouts, and still a diff of one line", async () => {
  const stage = openStage();
  const checkout = await inGit(stage);
  await stage.expectExit(0, ["restart", stage.group]);
  await stage.expectExit(0, ["apply"]);
  const before = idsOf(await stage.workers());
  await stage.expectExit(0, ["restart", stage.group]);
  expect(numstat(checkout)).toBe("1\t0\tgroups/mailer.yaml");
  await stage.expectExit(0, ["apply"]);
  const after = idsOf(await stage.workers());
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  expect(after).toHaveLength(REPLICAS);
});

it("delete drains and removes; its diff is one line, and then the manifest can go", async () => {
  const stage = openStage();
  const checkout = await inGit(stage);
  await stage.expectExit(0, ["apply"]);
  const since = await engineTime();
  await stage.expectExit(0, ["delete", stage.group]);
  expect(numstat(checkout)).toBe("1\t0\tgroups/mailer.yaml");
  await stage.expectExit(0, ["apply"]);
  expect(await stage.workers()).toEqual([]);
  const lines = eventLines(await containerEvents(since, stage.label), ["create", "kill", "die"]);
  const kinds = lines.map((line) => line.split(" ")[0]).sort();
  // one signal each, and no second one that would be the kill after the grace
  expect(kinds.join(" ")).toBe("die die die kill kill kill");
  await stage.expectNothingToDo();
  await stage.expectExit(0, ["delete", stage.group]);
  expect(numstat(checkout)).toBe("1\t0\tgroups/mailer.yaml");
  checkout.git("rm", "-q", "--force", "groups/mailer.yaml");
  await stage.expectExit(0, ["apply"]);
});
