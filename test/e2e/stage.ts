// A project of one group on the engine under test, driven by the built CLI. Whatever it makes goes with its test.

import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { callApi } from "../../scripts/lib/docker-api.mjs";
import type { StatusDocument } from "../../src/core/status-types.ts";
import { type CliOptions, type CliResult, runCli } from "../support/cli.ts";
import {
  cleanup,
  type ListedContainer,
  listContainers,
  newRunId,
  RUN_LABEL,
  testHost,
} from "../support/engine.ts";
import { loadVariant, TEST_IMAGE } from "../support/image.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A spec as a user writes it; what a test does not say is a small group that starts and stops fast. */
export type Spec = {
  readonly replicas?: number;
  readonly template?: Fields;
  readonly rollout?: Fields;
  readonly restartNonce?: string;
  readonly drain?: Fields;
  readonly onExit?: Fields;
  readonly secrets?: Fields;
  readonly configs?: Fields;
};

/** The part of `plan -o json` that tests look at. */
export type PlanDocument = {
  readonly actions: readonly PlannedAction[];
  readonly deferred: readonly PlannedAction[];
  readonly groups: readonly {
    readonly name: string;
    readonly revision: string | null;
    readonly blocks: readonly { readonly code: string; readonly message: string }[];
    readonly foreign: readonly { readonly name: string }[];
  }[];
  readonly orphans: readonly { readonly name: string; readonly workers: number }[];
};

export type PlannedAction = {
  readonly kind: string;
  readonly slot: number;
  readonly reason: string;
  readonly detail: string;
  readonly paths: readonly string[];
  readonly target?: { readonly id: string; readonly name: string };
  readonly worker?: { readonly name: string };
};

/** A health check of the worker image, often enough for a test; it needs `HEALTH` in the environment. */
export const HEALTH_CHECK: Fields = {
  test: ["CMD", "healthy"],
  interval: "1s",
  timeout: "10s",
  retries: 1,
};

/** Opens a stage; it is cleared when the test that opened it ends. */
export function openStage(): Stage {
  const stage = new Stage();
  onTestFinished(() => stage.close());
  return stage;
}

export class Stage {
  readonly run = newRunId();
  readonly group = `mailer-${this.run}`;
  readonly uid: string = randomUUID();
  readonly projectUid: string = randomUUID();
  readonly folder = mkdtempSync(join(tmpdir(), "wgctl-e2e-"));
  readonly #images: string[] = [];

  constructor() {
    mkdirSync(join(this.folder, "groups"));
  }

  /** Of every container of this stage, for lists and events. */
  get label(): string {
    return `${RUN_LABEL}=${this.run}`;
  }

  async close(): Promise<void> {
    await cleanup(this.run);
    await cleanup(`dev.wgctl.lease.project=${this.projectUid}`);
    for (const image of this.#images)
      await callApi(testHost(), "DELETE", `/images/${image}?force=1`);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes the project and its one group. */
  async declare(spec: Spec = {}, metadata: Fields = {}): Promise<void> {
    await this.write("wgctl.yaml", {
      ...{ apiVersion: "wgctl.dev/v1", kind: "Project" },
      metadata: { name: "post", uid: this.projectUid },
    });
    await this.write("groups/mailer.yaml", this.manifest(spec, metadata));
  }

  /** A manifest of the stage's own group, or of another one where `metadata` says so. */
  manifest(spec: Spec = {}, metadata: Fields = {}): Fields {
    return {
      ...{ apiVersion: "wgctl.dev/v1", kind: "WorkerGroup" },
      metadata: { name: this.group, uid: this.uid, ...metadata },
      spec: {
        replicas: 3,
        ...spec,
        template: {
          image: TEST_IMAGE,
          stop_grace_period: "30s",
          labels: { [RUN_LABEL]: this.run },
          ...spec.template,
        },
        rollout: { minReadySeconds: 0, ...spec.rollout },
      },
    };
  }

  /** Writes a file of the project; JSON is YAML. */
  async write(path: string, content: Fields | string): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    await writeFile(join(this.folder, path), text);
  }

  /** Runs wgctl in the project's folder. No run may ever show a stack trace. */
  async wgctl(args: readonly string[], options: Partial<CliOptions> = {}): Promise<CliResult> {
    const result = await runCli(args, { cwd: this.folder, ...options });
    expect(`${result.stdout}\n${result.stderr}`).not.toMatch(/^\s+at /m);
    return result;
  }

  /** As `wgctl`, and holds the run to an exit code. */
  async expectExit(
    code: number,
    args: readonly string[],
    options: Partial<CliOptions> = {},
  ): Promise<CliResult> {
    const result = await this.wgctl(args, options);
    const shown = `wgctl ${args.join(" ")}\n${result.stdout}${result.stderr}`;
    expect(result.code, shown).toBe(code);
    return result;
  }

  /** Declares a spec and applies it to the end. */
  async converge(spec: Spec = {}): Promise<readonly ListedContainer[]> {
    await this.declare(spec);
    await this.expectExit(0, ["apply"]);
    return this.workers();
  }

  async plan(...args: readonly string[]): Promise<PlanDocument> {
    const { stdout } = await this.expectExit(0, ["plan", "-o", "json", ...args]);
    return JSON.parse(stdout);
  }

  /** Planning again asks for nothing. */
  async expectNothingToDo(): Promise<void> {
    await this.expectExit(0, ["plan", "--detailed-exitcode"]);
  }

  /** Containers that carry the group's UID, by name. */
  async workers(uid = this.uid): Promise<readonly ListedContainer[]> {
    return listContainers(`dev.wgctl.uid=${uid}`);
  }

  /** What the status file says. */
  status(): StatusDocument {
    return JSON.parse(readFileSync(join(this.folder, ".wgctl/status.json"), "utf8"));
  }

  /** Forgets what wgctl wrote. */
  async loseFiles(): Promise<void> {
    await rm(join(this.folder, ".wgctl"), { recursive: true, force: true });
  }

  /** Every file and folder of the project with inode and time of change: equal means untouched. */
  files(): Readonly<Record<string, string>> {
    const paths = ["", ...readdirSync(this.folder, { recursive: true, encoding: "utf8" })].sort();
    const describe = (path: string) => {
      const { ino, mtimeNs } = statSync(join(this.folder, path), { bigint: true });
      return `${ino} ${mtimeNs}`;
    };
    return Object.fromEntries(paths.map((path) => [path, describe(path)]));
  }

  /** Loads a variant of the worker image; a taken tag moves. Answers with its id. */
  async loadImage(reference: string, variant: string): Promise<string> {
    this.claimImage(reference);
    return loadVariant(reference, variant);
  }

  /** Has a tag removed with the stage, if it is there by then. */
  claimImage(reference: string): void {
    this.#images.push(reference);
  }
}

export const idsOf = (workers: readonly ListedContainer[]): readonly string[] =>
  workers.map(({ id }) => id);

export const slotOf = ({ labels }: Pick<ListedContainer, "labels">): number =>
  Number(labels["dev.wgctl.slot"]);

/** Ids by slot, of workers with one container in each. */
export function bySlot(workers: readonly ListedContainer[]): Readonly<Record<number, string>> {
  return Object.fromEntries(workers.map((worker) => [slotOf(worker), worker.id]));
}
