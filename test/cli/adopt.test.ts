// `wgctl adopt` on a simulated world in which somebody else's containers run: what is shown, asked, written and replaced.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Template } from "../../src/core/template.ts";
import { pause } from "../../src/engine/simulated/hands.ts";
import { openSimulatedEngine } from "../../src/engine/simulated/open.ts";
import type { Life } from "../../src/engine/simulated/script.ts";
import { newWorld, type World } from "../../src/engine/simulated/world.ts";
import { runOnTerminal } from "../support/terminal.ts";
import { openStage, type SimulatedStage, type Spec } from "./simulated-stage.ts";

const NEVER = new AbortController().signal;
const SECRET = "hunter2-of-the-shop";
const SHOPS = ["shop-worker-1", "shop-worker-2", "shop-worker-3"] as const;
const ENGINE = ["--engine", "simulated", "--world", "world.json"];
const ADOPT = ["adopt", "mailer", "--from", ...SHOPS];

type Shop = { readonly names?: readonly string[]; readonly lives?: readonly Life[] };

/** A stage on which compose has started workers of its own. */
async function openShop(spec: Spec = {}, { names = SHOPS, lives = [] }: Shop = {}) {
  const stage = openStage();
  await stage.declare({ template: { environment: { QUEUE: "mail" } }, ...spec });
  const world = newWorld({ registry: { anything: true }, lives });
  const engine = openSimulatedEngine({ world });
  const template: Template = {
    image: "acme/mailer:1",
    environment: { QUEUE: "post", TOKEN: SECRET },
  };
  await engine.pullImage(template.image, () => undefined, NEVER);
  for (const name of names) {
    const labels = {
      "com.docker.compose.project": "shop",
      "com.docker.compose.service": "worker",
    };
    const id = await engine.createWorker({ name, labels, template }, NEVER);
    await engine.startWorker(id, NEVER);
  }
  engine.advance(3_600_000);
  await save(stage, world);
  return stage;
}

function save(stage: SimulatedStage, world: World): Promise<void> {
  return stage.write("world.json", JSON.stringify(world));
}

const manifestOf = ({ folder }: SimulatedStage) =>
  readFile(join(folder, "groups/mailer.yaml"), "utf8");

const namesIn = (stage: SimulatedStage) =>
  Object.values(stage.world().containers)
    .map(({ name, state }) => `${name.replace(/-[0-9a-f]{8}$/, "")} ${state.kind}`)
    .sort();

const idOf = (stage: SimulatedStage, name: string) => stage.world().names[name] ?? "";

const OURS = ["mailer-1 running", "mailer-2 running", "mailer-3 running"];
const THEIRS = SHOPS.map((name) => `${name} running`);

describe("wgctl adopt", () => {
  it("replaces them and leaves the manifest as it was", async () => {
    const stage = await openShop();
    const before = await manifestOf(stage);
    const { stdout, stderr } = await stage.expectExit(0, [...ADOPT, "--yes"]);
    expect(namesIn(stage)).toEqual(OURS);
    expect(await manifestOf(stage)).toBe(before);
    expect(stdout).toContain("mailer adopts 3 containers");
    expect(stdout).toMatch(/shop-worker-2 +[0-9a-f]{12} +sha256:[0-9a-f]{12} +running +slot 2/);
    expect(stdout).toContain("take the service worker of shop out of the compose file");
    expect(stdout).toContain("adopted: environment.QUEUE, environment.TOKEN");
    expect(`${stdout}${stderr}`).not.toContain(SECRET);
    expect(stdout).toContain("spec.adopt is out of the manifest again");
    await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
  });

  it("never has fewer than the rollout allows, or more than one in a slot", async () => {
    const stage = await openShop();
    let sawBoth = false;
    for (let run = 0; run < 40; run += 1) {
      await stage.wgctl(
        run === 0 ? [...ADOPT, "--yes", "--once"] : ["apply", "--once", "--advance", "1s"],
      );
      const states = Object.values(stage.world().containers).map(({ state }) => state.kind);
      const running = states.filter((kind) => kind === "running").length;
      expect(running).toBeGreaterThanOrEqual(2);
      expect(running).toBeLessThanOrEqual(3);
      const names = namesIn(stage);
      sawBoth ||=
        names.some((name) => name.startsWith("mailer")) &&
        names.some((name) => name.startsWith("shop"));
    }
    expect(sawBoth).toBe(true);
    expect(namesIn(stage)).toEqual(OURS);
    const { stdout } = await stage.expectExit(0, ["plan"]);
    expect(stdout).toContain("spec.adopt names what is gone from the engine");
    await stage.expectExit(0, ["adopt", "mailer"]);
    expect(await manifestOf(stage)).not.toContain("adopt");
  });

  it("changes nothing without a confirmation", async () => {
    const stage = await openShop();
    const before = await manifestOf(stage);
    const { stderr } = await stage.expectExit(3, ADOPT);
    expect(stderr).toContain("nobody has confirmed that these containers are to be replaced");
    expect([namesIn(stage), await manifestOf(stage)]).toEqual([THEIRS, before]);
  });

  it("asks on a terminal, and takes an empty answer for no", async () => {
    const stage = await openShop();
    const before = await manifestOf(stage);
    const { code, screen } = await runOnTerminal([...ADOPT, ...ENGINE], "\r", stage.folder);
    expect(code).toBe(0);
    expect(screen).toContain("replace these containers by workers? [y/N]");
    expect([namesIn(stage), await manifestOf(stage)]).toEqual([THEIRS, before]);
  });

  it("shows everything and writes nothing with --dry-run", async () => {
    const stage = await openShop();
    const files = stage.files();
    const { stdout } = await stage.expectExit(0, [...ADOPT, "--dry-run"]);
    expect(stdout).toContain(`"adopt": ["${idOf(stage, SHOPS[0])}"`);
    expect(stdout).toContain("Nothing was written.");
    expect(stage.files()).toEqual(files);
  });

  it("only writes the manifest with --no-apply, and any apply goes on", async () => {
    const stage = await openShop();
    await stage.expectExit(0, [...ADOPT, "--yes", "--no-apply"]);
    expect(namesIn(stage)).toEqual(THEIRS);
    expect(await manifestOf(stage)).toContain(idOf(stage, SHOPS[2]));
    await stage.expectExit(0, ["apply"]);
    expect(namesIn(stage)).toEqual(OURS);
    await stage.expectExit(0, ["apply", "--verify"]);
  });

  it("brings them back when the new revision fails, under their own names", async () => {
    const crash: Life = { match: { label: "dev.wgctl.uid" }, end: { after: 0, code: 3 } };
    const stage = await openShop({ rollout: { minReadySeconds: 5 } }, { lives: [crash] });
    const { stdout } = await stage.expectExit(6, [...ADOPT, "--yes"]);
    expect(namesIn(stage).filter((name) => name.startsWith("shop"))).toEqual(THEIRS);
    expect(stdout).not.toContain("is out of the manifest again");
    expect(await manifestOf(stage)).toContain("adopt");
    const { stdout: told } = await stage.expectExit(0, ["status", "-o", "wide"]);
    expect(told).toContain("shop-worker-1");
    await stage.declare({ template: { environment: { QUEUE: "mail" }, command: ["mended"] } });
    await save(stage, { ...stage.world(), lives: [] });
    await stage.expectExit(0, [...ADOPT, "--yes"]);
    expect(namesIn(stage)).toEqual(OURS);
  });

  it("takes names, ids and beginnings of ids, each once", async () => {
    const stage = await openShop();
    const [one, two] = [idOf(stage, SHOPS[0]), idOf(stage, SHOPS[1])];
    const from = [two.slice(0, 12), SHOPS[1], one];
    await stage.expectExit(0, ["adopt", "mailer", "--from", ...from, "--yes", "--no-apply"]);
    expect(await manifestOf(stage)).toContain(`"adopt": ["${two}", "${one}"]`);
    await stage.expectExit(0, ["adopt", "mailer", "--from", SHOPS[2], "--yes"]);
    expect(namesIn(stage)).toEqual(OURS);
    expect(await manifestOf(stage)).not.toContain("adopt");
  });

  it.each<
    [string, (stage: SimulatedStage) => Promise<readonly string[]> | readonly string[], string]
  >([
    ["what is not there", () => ["nobody"], "there is no container nobody"],
    [
      "several that are not there, and a name that a shell left empty",
      () => ["nobody", SHOPS[0], "", "noone"],
      'there is no container nobody, "", noone',
    ],
    ["nothing", () => [], "mailer adopts nothing yet"],
    [
      "a paused container",
      async (stage) => {
        const world = stage.world();
        pause(world, SHOPS[0]);
        await save(stage, world);
        return [SHOPS[0]];
      },
      "shop-worker-1 is paused",
    ],
    [
      "a worker of its own",
      async (stage) => {
        await stage.expectExit(0, ["apply"]);
        return Object.keys(stage.world().names).filter((name) => name.startsWith("mailer-1-"));
      },
      "carries the labels of a wgctl worker",
    ],
    [
      "what another group adopts",
      async (stage) => {
        const other = (await manifestOf(stage))
          .replace('"mailer"', '"other"')
          .replace("2a11", "2a12")
          .replace('"replicas":3', `"replicas":3,"adopt":["${idOf(stage, SHOPS[0])}"]`);
        await stage.write("groups/other.yaml", other);
        return [SHOPS[0]];
      },
      "shop-worker-1 is adopted by other already",
    ],
  ])("refuses %s", async (_, prepare, message) => {
    const stage = await openShop();
    const from = await prepare(stage);
    const named = from.length === 0 ? [] : ["--from", ...from];
    const before = await manifestOf(stage);
    const { stderr } = await stage.expectExit(3, ["adopt", "mailer", ...named, "--yes"]);
    expect(stderr).toContain(message);
    expect(await manifestOf(stage)).toBe(before);
  });

  it("keeps what they were given out of every file of its own", async () => {
    const stage = await openShop();
    await stage.expectExit(0, [...ADOPT, "--yes"]);
    const status = JSON.stringify(stage.status());
    expect(status).not.toContain(SECRET);
    const { stdout } = await stage.expectExit(0, ["history"]);
    expect(stdout).toContain("shop-worker-1");
    expect(stdout).not.toContain(SECRET);
  });
});
