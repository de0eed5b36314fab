// Whatever an engine says passes through here without the secrets of the groups; everything else as it is.

import { expect, test } from "vitest";
import { discreetEngine, discreetReader } from "../../src/app/discreet-engine.ts";
import { WgctlError } from "../../src/core/errors.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import { sealTemplate } from "../../src/core/seal.ts";
import type { Template } from "../../src/core/template.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { type CallName, FakeEngine } from "../support/fake-engine.ts";
import { group, worker } from "../support/scene.ts";

const SIGNAL = new AbortController().signal;
const SAID = 'cannot do it: exec: "hunter2": not found';
const SHOWN = 'cannot do it: exec: "(sensitive)": not found';

/** The group with a command that is sensitive. */
function groupWith(secret: string): DesiredGroup & { readonly kind: "valid" } {
  const desired = group({ template: { command: [secret] } });
  if (desired.kind !== "valid") throw new Error("a built group is valid");
  const nowhere = new Set<never>();
  const { template, secrets } = sealTemplate(
    desired.spec.template,
    {
      ...{ environment: nowhere, labels: nowhere, entrypoint: nowhere, healthcheck: nowhere },
      command: new Set([0]),
    },
    desired.identity.uid,
  );
  return { ...desired, spec: { ...desired.spec, template }, ...(secrets && { secrets }) };
}

const request = { name: "mailer-1-1f2e3d4c", labels: {}, template: { image: "mailer:1" } };

test.each<[CallName, (engine: Engine) => Promise<unknown>]>([
  ["list", (engine) => engine.listWorkers(SIGNAL)],
  ["inspect", (engine) => engine.inspectWorker("mailer-1", SIGNAL)],
  ["create", (engine) => engine.createWorker(request, SIGNAL)],
  ["start", (engine) => engine.startWorker("id", SIGNAL)],
  ["rename", (engine) => engine.renameWorker("id", "name", SIGNAL)],
  ["policy", (engine) => engine.setRestartPolicy("id", "no", SIGNAL)],
  ["limits", (engine) => engine.updateLimits("id", { cpus: 1 }, SIGNAL)],
  ["exec", (engine) => engine.execInWorker("id", ["idle"], SIGNAL)],
  ["logs", (engine) => engine.readLogs("id", 20, SIGNAL)],
  ["signal", (engine) => engine.signalWorker("id", "SIGTERM", SIGNAL)],
  ["remove", (engine) => engine.removeWorker("id", SIGNAL)],
  ["pull", (engine) => engine.pullImage("mailer:2", () => undefined, SIGNAL)],
])("the words of a failed %s", async (call, act) => {
  const engine = new FakeEngine([worker(1)]);
  const details = { hint: "look", cause: new Error(SAID) };
  engine.fail(call, new WgctlError("engine-failed", SAID, details));
  const thrown: unknown = await act(discreetEngine(engine, [groupWith("hunter2")])).catch(
    (error) => error,
  );
  expect(thrown).toMatchObject({ code: "engine-failed", message: SHOWN, hint: "look" });
  expect(thrown).not.toHaveProperty("cause");
});

test("an error that holds no secret is the very same, and so is a defect", async () => {
  for (const error of [new WgctlError("engine-failed", "no space left"), new TypeError(SAID)]) {
    const engine = new FakeEngine();
    engine.fail("list", error);
    const reader = discreetReader(engine, [groupWith("hunter2")]);
    await expect(reader.listWorkers(SIGNAL)).rejects.toBe(error);
  }
});

function refused(template: Partial<Template>) {
  return worker(1, { spec: { template }, run: { kind: "created", error: SAID } });
}

/** What a run shows of the error of the one worker there is. */
async function shownError(engine: FakeEngine, groups: readonly DesiredGroup[]): Promise<string> {
  const reader = discreetReader(engine, groups);
  const [listed] = (await reader.listWorkers(SIGNAL)).workers;
  const inspected = await reader.inspectWorker(listed?.id ?? "", SIGNAL);
  expect(inspected?.facts).toEqual(listed);
  return listed?.run.kind === "created" ? (listed.run.error ?? "") : "";
}

const UNSHOWN = "the engine's words are not shown: they may hold a sensitive value";

test("a worker's error is shown as far as everything sensitive in the worker is known", async () => {
  const now = groupWith("hunter2");
  const engine = new FakeEngine([refused(now.spec.template)]);
  expect(await shownError(engine, [now])).toBe(SHOWN);
  expect(await shownError(engine, [groupWith("rotated")])).toBe(UNSHOWN);
  expect(await shownError(engine, [])).toBe(UNSHOWN);
});

/** What a run shows of the log of the one worker there is. */
async function shownLog(written: readonly string[], groups: readonly DesiredGroup[]) {
  const made = worker(1, { spec: { template: groupWith("hunter2").spec.template } });
  const engine = new FakeEngine([made]);
  engine.logs.set("mailer-1", written);
  return discreetReader(engine, groups).readLogs(made.id, 20, SIGNAL);
}

test.each<[string, string, readonly string[], readonly string[]]>([
  ["in a line", "hunter2", ["begins", "key=hunter2!"], ["begins", "key=(sensitive)!"]],
  [
    "over several lines",
    "-key-\nhunter2\n-end-",
    ["at -key-", "hunter2", "-end-."],
    ["at (sensitive)", "(sensitive)", "(sensitive)."],
  ],
  ["cut off", "a-long-secret-value", ["key=a-long-secret-val..."], ["key=(sensitive)..."]],
  ["nowhere", "hunter2", ["begins", "ends"], ["begins", "ends"]],
])("a log is shown without a sensitive value %s", async (_, secret, written, shown) => {
  const made = worker(1, { spec: { template: groupWith(secret).spec.template } });
  const engine = new FakeEngine([made]);
  engine.logs.set("mailer-1", written);
  const reader = discreetReader(engine, [groupWith(secret)]);
  expect(await reader.readLogs(made.id, 20, SIGNAL)).toEqual(shown);
});

test("a log of a worker whose sensitive values are not known is not shown", async () => {
  const unshown = ["its words are not shown: they may hold a sensitive value"];
  expect(await shownLog(["key=hunter2"], [groupWith("rotated")])).toEqual(unshown);
  expect(await shownLog(["key=hunter2"], [])).toEqual(unshown);
  expect(await shownLog([], [])).toEqual([]);
});

test("a worker without sensitive values has nothing to hide", async () => {
  const engine = new FakeEngine([refused({ command: ["open"] })]);
  expect(await shownError(engine, [])).toBe(SAID);
});

test("the progress of a pull passes through, too", async () => {
  const engine = new FakeEngine();
  const lines: string[] = [];
  const discreet = discreetEngine(engine, [groupWith("done")]);
  await discreet.pullImage("mailer:2", (line) => lines.push(line), SIGNAL);
  expect(lines).toEqual(["(sensitive)"]);
});

test("what was asked of it is asked of the engine behind it", async () => {
  const engine = new FakeEngine();
  const discreet = discreetEngine(engine, [groupWith("hunter2")]);
  const id = await discreet.createWorker(request, SIGNAL);
  await discreet.startWorker(id, SIGNAL);
  expect(engine.calls).toEqual([`create ${request.name}`, `start ${request.name}`]);
  expect([discreet.endpoint, await discreet.identify(SIGNAL)]).toEqual([
    engine.endpoint,
    await engine.identify(),
  ]);
});
