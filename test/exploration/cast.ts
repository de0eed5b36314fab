// A small world with its writers at one moment: what can happen next, and the world after it has.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DesiredGroup } from "../../src/core/model.ts";
import type { FaultEffect } from "../../src/engine/simulated/script.ts";
import { advance } from "../../src/engine/simulated/time.ts";
import type { World } from "../../src/engine/simulated/world.ts";
import { canonicalText, Namer } from "./canonical.ts";
import type { Waiting } from "./gate.ts";
import { LEASE_MS, Writer } from "./writer.ts";

/** A small world and what may happen in it. */
export type Setting = {
  readonly name: string;
  /** What each writer wants; one writer, or two on machines of their own. */
  readonly wishes: readonly (DesiredGroup & { readonly kind: "valid" })[];
  readonly leases: boolean;
  /** Observations of each writer until it is asked to stop. */
  readonly looks: readonly number[];
  /** How often a call goes wrong, a writer dies (and is followed by another), and all sleep for longer than a lease. */
  readonly faults: number;
  readonly deaths: number;
  readonly sleeps: number;
  /** Whether the files are gone with a writer that dies. */
  readonly forgets?: boolean;
  /** Of a wish that fails: what is wished afterwards. */
  readonly cure?: DesiredGroup & { readonly kind: "valid" };
  /** Whether the calls about the lease never go wrong, because what they come to then is explored by themselves. */
  readonly sparesLease?: boolean;
};

/** What happens next: a call is let through well or badly, its writer dies before or after it, or time passes. */
export type Deed = keyof typeof EFFECTS | "pass" | "die-before" | "die-after" | "sleep";
export type Step = { readonly deed: Deed; readonly writer: number; readonly call: number };

const code = "engine-unreachable";
const EFFECTS = {
  "fail-before": { kind: "fail-before", code },
  "fail-after": { kind: "fail-after", code },
  late: { kind: "late", code, seconds: 2 },
} as const satisfies Record<string, FaultEffect>;

type Left = { readonly faults: number; readonly deaths: number; readonly sleeps: number };

export class Cast {
  readonly world: World;
  readonly #setting: Setting;
  readonly #folder: string;
  readonly #writers: Writer[] = [];
  readonly #namer = new Namer();
  #left: Left;

  private constructor(setting: Setting, world: World, folder: string) {
    this.#setting = setting;
    this.world = structuredClone(world);
    this.#folder = folder;
    this.#left = setting;
  }

  /** The setting at its beginning: every writer has made its first call, and nothing has been answered. */
  static async open(setting: Setting, world: World, folder: string): Promise<Cast> {
    const cast = new Cast(setting, world, folder);
    for (const index of setting.wishes.keys()) cast.#enter(index, "");
    await cast.#quiet();
    return cast;
  }

  /** Calls that wait, of all writers. */
  get waiting(): readonly { readonly writer: number; readonly call: Waiting }[] {
    return this.#writers.flatMap((one, writer) => sorted(one).map((call) => ({ writer, call })));
  }

  /** Everything that may happen next; nothing: all writers have ended. */
  get steps(): readonly Step[] {
    const { faults, deaths, sleeps } = this.#left;
    const steps = this.#writers.flatMap((one, writer) =>
      sorted(one).flatMap(({ call }, index): readonly Step[] => {
        const isWrite = (this.#setting.sparesLease ? CHANGES : WRITES).includes(call);
        const deeds: readonly Deed[] = [
          "pass",
          ...(faults > 0 && isWrite ? (["fail-before", "fail-after", "late"] as const) : []),
          ...(deaths > 0 ? (["die-before"] as const) : []),
          ...(deaths > 0 && isWrite ? (["die-after"] as const) : []),
        ];
        return deeds.map((deed) => ({ deed, writer, call: index }));
      }),
    );
    const isAwake = steps.length > 0 && sleeps > 0;
    return isAwake ? [...steps, { deed: "sleep", writer: 0, call: 0 }] : steps;
  }

  /** Lets it happen; resolves once everybody waits again. */
  async take({ deed, writer, call: index }: Step): Promise<void> {
    if (deed === "sleep") {
      this.#left = { ...this.#left, sleeps: this.#left.sleeps - 1 };
      advance(this.world, LEASE_MS + 1_000);
      return;
    }
    const one = this.#writers[writer];
    const call = one && sorted(one)[index];
    if (one === undefined || call === undefined) throw new Error("no such call waits");
    if (deed === "die-before" || deed === "die-after") await this.#die(one, writer, call, deed);
    else await this.#pass(call, deed);
    await this.#quiet();
  }

  /** All that what happens next depends on, as text. */
  get state(): string {
    const writers = this.#writers.map((one) => one.state);
    return canonicalText(this.world, this.#namer, [JSON.stringify(this.#left), ...writers]);
  }

  /** Where the writer's files are. */
  folderOf(index: number): string {
    return join(this.#folder, String(index));
  }

  /** Leaves everybody where they are, and takes their files away. */
  close(): void {
    for (const one of this.#writers) one.die();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #enter(index: number, suffix: string): void {
    const group = this.#setting.wishes[index];
    if (group === undefined) throw new Error(`there is no writer ${index}`);
    const machine = `machine-${index}`;
    const { looks, leases } = this.#setting;
    const own = { looks: looks[index] ?? 0, leases };
    const terms = { name: `${machine}${suffix}`, machine, group, ...own };
    this.#writers[index] = new Writer(this.world, this.folderOf(index), terms);
  }

  async #pass(call: Waiting, deed: "pass" | keyof typeof EFFECTS): Promise<void> {
    if (deed !== "pass") {
      this.#left = { ...this.#left, faults: this.#left.faults - 1 };
      if (call.call === "waitForChange") throw new Error("a wait does not fail");
      this.world.faults.unshift({ call: call.call, effect: EFFECTS[deed] });
    }
    await call.pass(true);
  }

  /** Another run follows on the same machine, with the files that were left. */
  async #die(
    one: Writer,
    index: number,
    call: Waiting,
    deed: "die-before" | "die-after",
  ): Promise<void> {
    this.#left = { ...this.#left, deaths: this.#left.deaths - 1 };
    if (deed === "die-after") await call.pass(false);
    one.die();
    if (this.#setting.forgets) rmSync(this.folderOf(index), { recursive: true, force: true });
    this.#enter(index, `-after-${this.#left.deaths}`);
  }

  async #quiet(): Promise<void> {
    for (const one of this.#writers) await one.quiet();
    this.#namer.look(this.world);
  }
}

const CHANGES: readonly Waiting["call"][] = [
  ...(["createWorker", "startWorker", "renameWorker", "setRestartPolicy"] as const),
  ...(["signalWorker", "removeWorker", "updateLimits"] as const),
];
const WRITES: readonly Waiting["call"][] = [...CHANGES, "makeClaim", "dropClaim"];

/** True for a call that changes a worker. */
export function changesWorkers({ call }: Waiting): boolean {
  return CHANGES.includes(call);
}

function sorted(writer: Writer): readonly Waiting[] {
  return [...writer.waiting].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ call, what }: Waiting): string {
  return `${call} ${what}`;
}
