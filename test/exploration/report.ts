// Explores one setting and says what came of it: the figures for a person, and what was broken against expectation.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step } from "./cast.ts";
import { Explorer } from "./explore.ts";
import { PROMISES, type PromiseKey } from "./promises.ts";
import { beginning, type Explored, limitsFor, withAdopted } from "./settings.ts";

/** What was found against expectation; nothing: all is as it should be. */
export async function exploreAndTell(explored: Explored): Promise<readonly string[]> {
  const { breaks, most = Number.POSITIVE_INFINITY } = explored;
  // In memory where that can be had: flushing to a disk ten thousand times proves nothing here.
  const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "wgctl-explore-"));
  try {
    const world = await beginning(explored, join(root, "before"));
    const setting = withAdopted(explored.setting, world);
    const bounds = { limits: limitsFor(setting, explored), states: most };
    const { broken, ...found } = await new Explorer(setting, world, root, bounds).run();
    const { states, transitions, endings, isWhole } = found;
    const whole = isWhole ? "all" : "not all";
    console.info(
      `explored ${setting.name}: ${states} states (${whole}), ${transitions} transitions, ` +
        `${endings} endings, at most ${found.most} existed, at least ${found.fewest} served`,
    );
    return [...unexpected(broken, breaks), ...unseen(broken, breaks)];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Broken = ReadonlyMap<PromiseKey, readonly Step[]>;

function unexpected(broken: Broken, breaks: readonly PromiseKey[]): readonly string[] {
  return [...broken]
    .filter(([promise]) => !breaks.includes(promise))
    .map(([promise, way]) => `${PROMISES[promise]} -- broken by ${way.map(wordsOf).join(", ")}`);
}

function unseen(broken: Broken, breaks: readonly PromiseKey[]): readonly string[] {
  return breaks
    .filter((promise) => !broken.has(promise))
    .map((promise) => `${PROMISES[promise]} -- is known to break here, and was not seen to`);
}

function wordsOf({ deed, writer, call }: Step): string {
  return `${deed} ${writer}.${call}`;
}
