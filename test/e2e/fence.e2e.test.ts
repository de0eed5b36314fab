// Two checkouts of one repository: the older one does not undo what the newer one did.

import { describe, expect, it } from "vitest";
import { Checkout } from "../support/checkout.ts";
import type { CliResult } from "../support/cli.ts";
import { elsewhere, isRoot } from "./elsewhere.ts";
import { openStage, type Spec, type Stage } from "./stage.ts";

const OLD: Spec = { replicas: 2, template: { environment: { QUEUE: "old" } } };
const NEW: Spec = { replicas: 2, template: { environment: { QUEUE: "new" } } };

/** A project in Git: the stage's own folder has the newer commit checked out, `older` the one before. */
async function twoCheckouts(stage: Stage) {
  await stage.declare(OLD);
  await stage.write(".gitignore", ".wgctl\n");
  const origin = Checkout.in(stage.folder);
  await stage.declare(NEW);
  origin.commit("two");
  const older = origin.clone();
  older.git("checkout", "-q", "HEAD~1");
  return { origin, older };
}

function at(stage: Stage, { folder }: Checkout, ...args: string[]): Promise<CliResult> {
  return stage.wgctl(args, { cwd: folder });
}

async function commits(stage: Stage): Promise<readonly (string | undefined)[]> {
  const workers = await stage.workers();
  return [...new Set(workers.map(({ labels }) => labels["dev.wgctl.commit"]))];
}

describe("an older checkout", () => {
  it("is refused by plan, apply and status; --allow-older lets it pass", async () => {
    const stage = openStage();
    const { origin, older } = await twoCheckouts(stage);
    await stage.expectExit(0, ["apply"]);
    const newest = origin.git("rev-parse", "HEAD");
    expect(await commits(stage)).toEqual([newest]);
    const before = await stage.workers();

    const planned = await at(stage, older, "plan");
    expect(planned.code, planned.stdout).toBe(4);
    expect(planned.stdout).toContain(`was made from commit ${newest.slice(0, 10)}`);
    expect(planned.stdout).toContain("--allow-older");
    const refused = await at(stage, older, "apply");
    expect(refused.code, refused.stderr).toBe(4);
    const status = await at(stage, older, "status", "-o", "json");
    expect(JSON.parse(status.stdout).groups[0].conditions).toContainEqual(
      expect.objectContaining({ type: "Stalled", status: "True", reason: "NewerCommitObserved" }),
    );
    expect(await stage.workers()).toEqual(before);

    const allowed = await at(stage, older, "apply", "--allow-older");
    expect(allowed.code, allowed.stderr).toBe(0);
    expect(await commits(stage)).toEqual([older.git("rev-parse", "HEAD")]);
    await stage.expectExit(0, ["apply"]);
    expect(await commits(stage)).toEqual([newest]);
  });

  it("may not delete, either", async () => {
    const stage = openStage();
    await stage.declare(OLD, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    await stage.write(".gitignore", ".wgctl\n");
    const origin = Checkout.in(stage.folder);
    await stage.declare(NEW);
    origin.commit("revive it");
    const older = origin.clone();
    older.git("checkout", "-q", "HEAD~1");
    await stage.expectExit(0, ["apply"]);
    const before = await stage.workers();
    expect((await at(stage, older, "apply")).code).toBe(4);
    expect(await stage.workers()).toEqual(before);
  });

  it("with nothing to do is no concern", async () => {
    const stage = openStage();
    await stage.declare(NEW);
    await stage.write(".gitignore", ".wgctl\n");
    const origin = Checkout.in(stage.folder);
    const older = origin.clone();
    origin.commit("something else");
    await stage.expectExit(0, ["apply"]);
    older.git("fetch", "-q");
    const { code, stderr } = await at(stage, older, "apply");
    expect([code, stderr]).toEqual([0, ""]);
  });
});

describe("where Git cannot tell, it goes on with a warning:", () => {
  it.each([
    ["a clone of depth 1", (origin: Checkout) => origin.clone("--depth", "1")],
    [
      "another branch",
      (origin: Checkout) => {
        const side = origin.clone();
        side.git("checkout", "-q", "-b", "side", "HEAD~1");
        side.commit("aside");
        return side;
      },
    ],
  ])("%s", async (name, make) => {
    const stage = openStage();
    const { origin } = await twoCheckouts(stage);
    const other = make(origin);
    if (name === "a clone of depth 1") origin.git("checkout", "-q", "HEAD~1");
    await stage.expectExit(0, ["apply"]);
    const { code, stderr } = await at(stage, other, "apply");
    expect(code, stderr).toBe(0);
    expect(stderr.match(/warning: workers were made from commit/g)).toHaveLength(1);
    expect(await commits(stage)).toEqual([other.git("rev-parse", "HEAD")]);
  });

  it("manifests outside Git", async () => {
    const stage = openStage();
    await twoCheckouts(stage);
    await stage.expectExit(0, ["apply"]);
    await stage.declare({ replicas: 1 });
    const { stderr } = await stage.expectExit(0, ["apply"], { env: { GIT_DIR: "/nonexistent" } });
    expect(stderr).toContain("which Git does not know here");
    expect(await stage.workers()).toHaveLength(1);
  });
});

describe.runIf(isRoot)("four appliers and two checkouts at once", () => {
  it("end at what the newer one declares, and nothing exists twice", async () => {
    const stage = openStage();
    const { origin, older } = await twoCheckouts(stage);
    const args = ["apply", "--lock-timeout", "60s", "--state-dir"];
    const runs = [origin, older, origin, older].map(({ folder: cwd }, index) =>
      elsewhere(stage, [...args, `.wgctl/${index}`], { cwd }),
    );
    const results = await Promise.all(runs.map(({ ended }) => ended));
    for (const [index, { code, stderr }] of results.entries()) {
      const allowed = index % 2 === 0 ? [0] : [0, 4];
      expect(allowed, `${index}: ${stderr}`).toContain(code);
    }
    expect(await commits(stage)).toEqual([origin.git("rev-parse", "HEAD")]);
    expect(await stage.workers()).toHaveLength(2);
    await stage.expectNothingToDo();
  });
});
