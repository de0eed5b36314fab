// Observed state: one immutable picture of the engine, taken by one clock (the engine's own).

/** Everything one observation saw. Times everywhere are milliseconds since 1970 by the engine's clock. */
export type Snapshot = {
  readonly now: number;
  /** Every container that carries a `dev.wgctl.uid` label, whoever made it. */
  readonly workers: readonly WorkerFacts[];
  /** Listed, but the engine would not say more about it. */
  readonly unknown: readonly UnknownWorker[];
  /** Image id for each image reference that was asked for; `null`: not on the engine. */
  readonly images: Readonly<Record<string, string | null>>;
  /** What registries have said in this run, by image reference; one without a word is as the registry has it, or was not asked. */
  readonly registry?: Readonly<Record<string, RegistryWord>>;
  /** What the engine has for reservations; absent: nobody had to ask. */
  readonly capacity?: Capacity;
  /** Ids of leaving workers whose stop signal the engine's event history has seen. */
  readonly signalled: readonly string[];
  /** Who holds the names that were asked for; a name that is missing here is free. */
  readonly holders: Readonly<Record<string, NameHolder>>;
  /** Networks that were asked for and do not exist. */
  readonly missingNetworks: readonly string[];
  /** What commands run in workers came to in this run, by container id. */
  readonly probes: Readonly<Record<string, ProbeFacts>>;
  /** Containers that groups adopt, by id; one that is named and missing here is gone. Absent: no group names any. */
  readonly adopted?: Readonly<Record<string, AdoptedContainer>>;
};

/** A container that somebody else made and that a group adopts. */
export type AdoptedContainer =
  /** `template` is canonical JSON of what it was made from, what may be secret in it sealed. */
  | { readonly kind: "known"; readonly facts: WorkerFacts; readonly template: string }
  /** The engine would not say more about it. */
  | { readonly kind: "unknown" };

export type RegistryWord =
  /** The reference means another image there: digests, `from` those that the image here is known by. */
  | { readonly kind: "moved"; readonly from: readonly string[]; readonly to: string }
  /** It could not be asked or pulled from, in its words, and is left in peace for now. */
  | { readonly kind: "failed"; readonly message: string };

/** CPUs and bytes. */
export type Capacity = { readonly cpus: number; readonly memory: number };

/** What a command that was run in a worker came to, for the same name of it: a phase later is another question. */
export type ProbeFacts = {
  readonly name: string;
  readonly asks: "drained" | "idle";
  /** It exited 0. */
  readonly isTrue: boolean;
  /** Engine time (ms). */
  readonly at: number;
};

/** Limits of a container that can be set or raised while it runs; absent: there is none. */
export type ResourceLimits = {
  /** CPUs, a fraction allowed. */
  readonly cpus?: number;
  /** Bytes. */
  readonly memory?: number;
  /** Bytes of memory and swap together, where that is not twice the memory; -1: no limit, or an engine that has none. */
  readonly swap?: number;
  /** Processes and threads. */
  readonly pids?: number;
};

/** A container listed under our labels that could not be inspected. */
export type UnknownWorker = {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
};

/** The container that holds a name. */
export type NameHolder = { readonly id: string; readonly labels: Readonly<Record<string, string>> };

/** What the engine says of one container, in the core's words and nothing else. */
export type WorkerFacts = {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly imageId: string;
  readonly createdAt: number;
  readonly run: RunFacts;
  /** As the engine counts; falls back to 0 when the engine restarts. */
  readonly restartCount: number;
  /** The live restart policy, as Compose writes it (`no`, `always`, `on-failure:5`). */
  readonly restartPolicy: string;
  readonly limits: ResourceLimits;
  /** Names of the networks it is attached to. */
  readonly networks: readonly string[];
  /** Ports of the host that it has now, ascending; absent: none. */
  readonly hostPorts?: readonly number[];
  /** The signal that asks it to stop, its image's included; undefined: the engine's default, SIGTERM. */
  readonly stopSignal?: string;
  /** Seconds between that signal and a kill; undefined: the engine's default, 10. */
  readonly stopTimeout?: number;
  /** The engine removes it as soon as it ends. */
  readonly autoRemove?: true;
};

/** The run state, from the engine's `State.Status`. */
export type RunFacts =
  /** Never ran. An `error` means that a start failed; `exitCode` then says how: 126 and 127 that its command cannot be run. */
  | { readonly kind: "created"; readonly error?: string; readonly exitCode?: number }
  | { readonly kind: "running"; readonly startedAt: number; readonly health?: HealthFacts }
  | { readonly kind: "restarting"; readonly startedAt: number; readonly exitCode: number }
  | { readonly kind: "paused"; readonly startedAt: number }
  | {
      readonly kind: "exited";
      readonly startedAt: number;
      readonly finishedAt: number;
      readonly exitCode: number;
      readonly oomKilled: boolean;
      readonly error?: string;
    }
  | { readonly kind: "removing" }
  | { readonly kind: "dead" };

export type HealthFacts = {
  readonly status: "starting" | "healthy" | "unhealthy";
  /** Failures in a row that make it unhealthy. */
  readonly retries: number;
  /** Oldest first; Docker keeps five. */
  readonly log: readonly HealthProbe[];
};

export type HealthProbe = {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly ok: boolean;
};
