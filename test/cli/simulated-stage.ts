// A project of one group, driven by the built CLI on a simulated world in a file. Needs no engine.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { StatusDocument } from "../../src/core/status-types.ts";
import type { World } from "../../src/engine/simulated/world.ts";
import { decodeWorld } from "../../src/engine/simulated/world-shape.ts";
import { type CliOptions, type CliResult, runCli } from "../support/cli.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A spec as a user writes it; what is not said is a group of three that is available at once. */
export type Spec = {
  readonly replicas?: number;
  readonly template?: Fields;
  readonly rollout?: Fields;
};

/** Opens a stage; its folder goes when the test that opened it ends. */
export function openStage(): SimulatedStage {
  const stage = new SimulatedStage();
  onTestFinished(() => rmSync(stage.folder, { recursive: true, force: true }));
  return stage;
}

export class SimulatedStage {
  readonly folder = mkdtempSync(join(tmpdir(), "wgctl-simulated-cli-"));

  constructor() {
    mkdirSync(join(this.folder, "groups"));
  }

  /** Writes the project and its one group; JSON is YAML. */
  async declare({ template, rollout, ...spec }: Spec = {}): Promise<void> {
    await this.write("wgctl.yaml", {
      ...{ apiVersion: "wgctl.dev/v1", kind: "Project" },
      metadata: { name: "post", uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a10" },
    });
    await this.write("groups/mailer.yaml", {
      ...{ apiVersion: "wgctl.dev/v1", kind: "WorkerGroup" },
      metadata: { name: "mailer", uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11" },
      spec: {
        ...{ replicas: 3, ...spec },
        template: { image: "acme/mailer:1", ...template },
        rollout: { minReadySeconds: 0, ...rollout },
      },
    });
  }

  async write(path: string, content: Fields | string): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(join(this.folder, path), text);
  }

  /** Runs wgctl on the world in `world.json` of the project's folder. */
  async wgctl(args: readonly string[], options: Partial<CliOptions> = {}): Promise<CliResult> {
    const engine = ["--engine", "simulated", "--world", "world.json"];
    const result = await runCli([...args, ...engine], { cwd: this.folder, ...options });
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
    expect(result.code, `${args.join(" ")}\n${result.stdout}${result.stderr}`).toBe(code);
    return result;
  }

  /** The world as it would be loaded now; without a file a new one. */
  world(): World {
    const file = join(this.folder, "world.json");
    return decodeWorld(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
  }

  /** Each container as `slot state`, sorted. */
  workers(): readonly string[] {
    return Object.values(this.world().containers)
      .map(({ labels, state }) => `${labels["dev.wgctl.slot"]} ${state.kind}`)
      .sort();
  }

  /** What the status file of this world says. */
  status(): StatusDocument {
    const [file] = readdirSync(this.folder, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith("status.json"),
    );
    return JSON.parse(readFileSync(join(this.folder, file ?? "there is no status.json"), "utf8"));
  }

  /** Every file and folder with inode and time of change: equal means untouched. */
  files(): Readonly<Record<string, string>> {
    const paths = ["", ...readdirSync(this.folder, { recursive: true, encoding: "utf8" })].sort();
    const describe = (path: string) => {
      const { ino, mtimeNs } = statSync(join(this.folder, path), { bigint: true });
      return `${ino} ${mtimeNs}`;
    };
    return Object.fromEntries(paths.map((path) => [path, describe(path)]));
  }
}
