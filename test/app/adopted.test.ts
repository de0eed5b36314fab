// What is seen of containers that groups adopt, and that nothing of what they were given is told.

import { describe, expect, it } from "vitest";
import { lookAtAdopted } from "../../src/app/adopted.ts";
import { discreetEngine } from "../../src/app/discreet-engine.ts";
import { observe } from "../../src/app/observe.ts";
import { WgctlError } from "../../src/core/errors.ts";
import { NOTHING_PENDING } from "../../src/core/journal.ts";
import { sealTemplate } from "../../src/core/seal.ts";
import type { Template } from "../../src/core/template.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { ago, foreigner, group, MAILER, running, worker } from "../support/scene.ts";

const SIGNAL = new AbortController().signal;
const SECRET = "hunter2-of-the-shop";
const given: Template = {
  image: "mailer:1",
  command: ["bin/work", "--token", SECRET],
  entrypoint: [SECRET],
  environment: { QUEUE: "mail", TOKEN: SECRET },
  labels: { team: SECRET, "com.docker.compose.project.config_files": "/srv/shop.yaml" },
  healthcheck: { test: ["CMD", "check", SECRET], retries: 3 },
  logging: { driver: "splunk", options: { "splunk-token": SECRET } },
};
const desired = group(
  { template: { command: ["bin/work"], environment: { QUEUE: "mail" } } },
  { adopt: ["shop-1"] },
);

function engineWith(template: Template = given): FakeEngine {
  const engine = new FakeEngine([foreigner("shop-1").facts]);
  engine.templates.set("shop-1", template);
  return engine;
}

async function templateSeen(engine: FakeEngine, adopter = desired): Promise<unknown> {
  const seen = (await lookAtAdopted(engine, [adopter], SIGNAL)).adopted?.["shop-1"];
  return seen?.kind === "known" ? JSON.parse(seen.template) : seen;
}

describe("a look at adopted containers", () => {
  it("costs nothing where there are none", async () => {
    const engine = engineWith();
    expect(await lookAtAdopted(engine, [group()], SIGNAL)).toEqual({});
    expect([engine.most.get("inspect"), engine.most.get("template")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("shows what the manifest shows as well, and seals the rest", async () => {
    const sealed = expect.stringMatching(/^sealed:[0-9a-f]{32}$/);
    expect(await templateSeen(engineWith())).toEqual({
      image: "mailer:1",
      command: ["bin/work", sealed, sealed],
      entrypoint: [sealed],
      environment: { QUEUE: "mail", TOKEN: sealed },
      labels: { team: sealed },
      healthcheck: { test: ["CMD", sealed, sealed], retries: 3 },
      logging: { driver: "splunk", options: { "splunk-token": sealed } },
    });
  });

  it("finds a sensitive value equal to the manifest's own", async () => {
    const places = { labels: new Set<never>(), command: new Set<never>(), ...NOWHERE };
    const open = group({ template: { environment: { TOKEN: SECRET } } }, { adopt: ["shop-1"] });
    if (open.kind !== "valid") throw new Error("a built group is valid");
    const { template } = sealTemplate(open.spec.template, places, MAILER.uid);
    const adopter = { ...open, spec: { ...open.spec, template } };
    const engine = engineWith({ image: "mailer:1", environment: { TOKEN: SECRET } });
    expect(await templateSeen(engine, adopter)).toEqual(template);
  });

  it("leaves out what is gone", async () => {
    expect(await lookAtAdopted(new FakeEngine(), [desired], SIGNAL)).toEqual({ adopted: {} });
  });

  it.each(["engine-failed", "engine-timeout"] as const)(
    "says that nothing is known: %s",
    async (code) => {
      const engine = engineWith();
      engine.fail("template", new WgctlError(code, "no answer"));
      expect(await templateSeen(engine)).toEqual({ kind: "unknown" });
    },
  );

  it("fails with the engine", async () => {
    const engine = engineWith();
    engine.fail("inspect", new WgctlError("engine-unreachable", "gone"));
    await expect(lookAtAdopted(engine, [desired], SIGNAL)).rejects.toThrow("gone");
  });

  it("asks the event history about those that are leaving", async () => {
    const leaving = foreigner("shop-1", { phase: "stopping", phaseAge: 30, run: running(60) });
    const asked: (readonly string[])[] = [];
    const engine = Object.assign(new FakeEngine([leaving.facts]), {
      findSignalled: async (ids: readonly string[], since: number) => {
        asked.push([...ids, String((ago(0) - since) / 1000)]);
        return ids;
      },
    });
    engine.templates.set("shop-1", given);
    const workspace = { groups: [desired], declared: [MAILER.uid], project: undefined };
    const memory = { status: undefined, pending: NOTHING_PENDING, probes: {} };
    const { signalled } = await observe(engine, workspace, memory, SIGNAL);
    expect([asked, signalled]).toEqual([[["shop-1", "30"]], ["shop-1"]]);
  });
});

const NOWHERE = {
  entrypoint: new Set<never>(),
  healthcheck: new Set<never>(),
  environment: new Set(["TOKEN"]),
};

describe("what an engine says of adopted containers", () => {
  it("holds nothing that they were given, once a group has had them read", async () => {
    const engine = engineWith();
    const discreet = discreetEngine(engine, [desired]);
    await lookAtAdopted(discreet, [desired], SIGNAL);
    engine.fail("start", new WgctlError("engine-failed", `exec: "${SECRET}": not found`));
    await expect(discreet.startWorker("shop-1", SIGNAL)).rejects.toThrow(
      'exec: "(sensitive)": not found',
    );
  });

  it("shows the words in which a start was refused of no one but workers", async () => {
    const error = `exec: "${SECRET}": not found`;
    const run = { kind: "created", error } as const;
    const engine = new FakeEngine([foreigner("shop-1", { run }).facts, worker(1, { run })]);
    const discreet = discreetEngine(engine, [desired]);
    const words = async (id: string) => (await discreet.inspectWorker(id, SIGNAL))?.facts.run;
    expect(JSON.stringify(await words("shop-1"))).not.toContain(SECRET);
    expect(await words(worker(1).id)).toEqual(run);
  });
});
