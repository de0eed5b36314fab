// Desired state: what a person declared, after parsing and before anything was observed.

import type { Secrets } from "./secrets.ts";

/** Where a value stands in a file: 1-based line and column. */
export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** One thing wrong in a file, complete enough to be shown alone. */
export type Problem = {
  readonly severity: "error" | "warning";
  readonly place: Place;
  /** Dotted path in the document, `spec.rollout.maxSurge`; empty for the document itself. */
  readonly path: string;
  readonly message: string;
  /** What would be right, as a sentence without a final stop. */
  readonly hint?: string;
  /** The lines around the place, with a marker; absent where showing them could show a secret. */
  readonly frame?: string;
  /** Of a lint: its name, by which a manifest silences it. */
  readonly lint?: string;
};

/** What names a group, readable even where its spec is not. */
export type GroupIdentity = {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
};

/** A group as declared. An invalid spec blocks only its own group, so its identity is kept apart. */
export type DesiredGroup =
  | {
      readonly kind: "valid";
      readonly identity: GroupIdentity;
      readonly deletionTimestamp: string | undefined;
      readonly place: Place;
      readonly spec: GroupSpec;
      /**
       * Full ids of containers that somebody else made and that its workers take the place of, the first in slot 1;
       * absent: none. What a group is to be does not rest on them, so they are no part of its spec.
       */
      readonly adopt?: readonly string[];
      /** Digest of the canonical spec, where whoever read it has made it. */
      readonly specDigest?: string;
      /** What the seals in the template stand for; absent: there are none. */
      readonly secrets?: Secrets;
    }
  | {
      readonly kind: "invalid";
      readonly identity: GroupIdentity;
      readonly deletionTimestamp: string | undefined;
      readonly place: Place;
      readonly problems: readonly Problem[];
    };

export type GroupSpec = {
  readonly replicas: number;
  readonly template: Template;
  readonly pullPolicy: PullPolicy;
  readonly rollout: RolloutPolicy;
  /** Absent: a worker is asked to stop by its stop signal alone. */
  readonly drain?: DrainPolicy;
  /** Only what the user set. */
  readonly onExit?: ExitPolicy;
  readonly onUnhealthy: "Replace" | "Report";
  readonly restartNonce: string;
  readonly suspend: boolean;
};

/** When an image is pulled that the engine has: where its registry has another one, asked in every run or now and then. */
export type PullPolicy =
  | "missing"
  | "never"
  | "always"
  | { readonly kind: "every"; readonly seconds: number };

export type RolloutPolicy = {
  readonly strategy: "RollingUpdate" | "Recreate";
  readonly maxUnavailable: Amount;
  readonly maxSurge: Amount;
  readonly minReadySeconds: number;
  readonly healthyDeadlineSeconds: number;
  readonly progressDeadlineSeconds: number;
  /** What becomes of a revision that fails: it stays as far as it came, or the last completed one comes back. */
  readonly onFailure: "Pause" | "Rollback";
  readonly paused: boolean;
};

/** How a worker is brought to an end, before its stop signal. */
export type DrainPolicy = {
  /** What tells it to take no new work. */
  readonly quiet?: Quiet;
  /** It is drained once this command, run in it, exits 0, or once its time is over. */
  readonly waitFor?: { readonly exec: readonly string[]; readonly timeoutSeconds: number };
  /** A command that exits 0 in a worker with nothing to do: such go first when a group shrinks. */
  readonly idle?: { readonly exec: readonly string[] };
};

export type Quiet =
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "exec"; readonly exec: readonly string[] };

/** What becomes of a worker that the engine left exited. `Leave`: it has done its work and fills its slot. */
export type ExitAction = "Recreate" | "Restart" | "Leave";

export type ExitPolicy = { readonly success?: ExitAction; readonly failure?: ExitAction };

/** A count, or a share of `replicas`. */
export type Amount =
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "percent"; readonly percent: number };

/**
 * A worker's template: a Compose service, normalised.
 *
 * Holds only what the user set, under Compose's own names, one form per meaning (argv lists, maps sorted
 * by use, seconds, bytes), so that its canonical JSON is what the `template` label keeps and compares.
 * Strings may hold placeholders such as `{{.Task.Slot}}` until a worker is made.
 */
export type Template = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly volumes?: readonly Mount[];
  /** Networks by the name the engine knows them by. */
  readonly networks?: Readonly<Record<string, NetworkAttachment>>;
  /** `none`, `host`, `bridge`, or `container:<name>`. Never together with `networks`. */
  readonly network_mode?: string;
  readonly ports?: readonly PortMapping[];
  readonly restart?: RestartPolicy;
  readonly healthcheck?: Healthcheck;
  readonly stop_signal?: string;
  /** Seconds. */
  readonly stop_grace_period?: number;
  /** CPUs, a fraction allowed. */
  readonly cpus?: number;
  /** Bytes. */
  readonly mem_limit?: number;
  /** Processes and threads at most; -1: no limit. */
  readonly pids_limit?: number;
  /** Bytes the engine tries to keep for it, and CPUs that admission counts. */
  readonly mem_reservation?: number;
  readonly cpu_reservation?: number;
  readonly working_dir?: string;
  readonly user?: string;
  /** May hold a placeholder. */
  readonly hostname?: string;
  /** Run a small init as the first process. */
  readonly init?: boolean;
  /** Mount options by target: `size=64m`, or empty. */
  readonly tmpfs?: Readonly<Record<string, string>>;
  readonly logging?: Logging;
  /** As `docker pull --platform` takes it: `linux/arm64`. */
  readonly platform?: string;
  readonly runtime?: string;
  /** Never false: that is the same as nothing said, as with `read_only` and an `oom_score_adj` of 0. */
  readonly privileged?: boolean;
  /** Upper case, without `CAP_`, sorted; each once. */
  readonly cap_add?: readonly string[];
  readonly cap_drop?: readonly string[];
  /**
   * `key=value` as security-option.ts writes it, sorted, each once; the profile that a file holds stands in it as
   * compact JSON: `seccomp={...}`.
   */
  readonly security_opt?: readonly string[];
  /** The root file system cannot be written to. */
  readonly read_only?: boolean;
  /** Names or numbers, sorted; each once. */
  readonly group_add?: readonly string[];
  readonly userns_mode?: string;
  /** `private`, `shareable`, `host`, `none` or `container:<name>`. */
  readonly ipc?: string;
  /** `host` or `container:<name>`. */
  readonly pid?: string;
  /** -1: no limit. */
  readonly ulimits?: Readonly<Record<string, Ulimit>>;
  readonly sysctls?: Readonly<Record<string, string>>;
  /** Bytes of `/dev/shm`. */
  readonly shm_size?: number;
  /** Bytes of memory and swap together; -1: as much swap as there is. */
  readonly memswap_limit?: number;
  /** 0 to 100. */
  readonly mem_swappiness?: number;
  /** -1000 to 1000. */
  readonly oom_score_adj?: number;
  readonly dns?: readonly string[];
  readonly dns_search?: readonly string[];
  readonly dns_opt?: readonly string[];
  /** Addresses by host name; `host-gateway` stands for the engine's host. */
  readonly extra_hosts?: Readonly<Record<string, readonly string[]>>;
  readonly devices?: readonly DeviceMapping[];
  /** What `gpus` and the devices of `deploy.resources.reservations` ask for. */
  readonly device_requests?: readonly DeviceRequest[];
  /** Files mounted from the host, read-only. */
  readonly secrets?: readonly FileMount[];
  readonly configs?: readonly FileMount[];
};

export type Mount = {
  readonly type: "bind" | "volume";
  /** An absolute host path for a bind, a volume name for a volume; absent for an anonymous volume. */
  readonly source?: string;
  readonly target: string;
  readonly read_only?: true;
  /** Relabel for SELinux: `z` shared, `Z` private. */
  readonly selinux?: "z" | "Z";
  /** Of a bind: what mounts made later are seen on the other side. */
  readonly propagation?: "private" | "rprivate" | "shared" | "rshared" | "slave" | "rslave";
  /** Of a bind: a source that is missing is an error. Otherwise the engine makes a folder there. */
  readonly create_host_path?: false;
  /** Of a volume: it stays empty, whatever the image has at the target. */
  readonly nocopy?: true;
  /** Of a volume: the folder in it that is mounted. */
  readonly subpath?: string;
};

export type Ulimit = { readonly soft: number; readonly hard: number };

export type DeviceMapping = {
  /** A path on the host; may hold a placeholder. */
  readonly source: string;
  readonly target: string;
  /** Out of `r`, `w` and `m`. */
  readonly permissions: string;
};

/** Devices that a driver of the engine picks, such as GPUs. */
export type DeviceRequest = {
  readonly driver?: string;
  /** -1: all. Never together with `device_ids`. */
  readonly count?: number;
  /** May hold placeholders; of a range, `0-3`, slot n has the n-th. */
  readonly device_ids?: readonly string[];
  /** Sorted, each once; none for the driver `cdi`, whose device ids are qualified names. */
  readonly capabilities: readonly string[];
  readonly options?: Readonly<Record<string, string>>;
};

/** A file whose content is part of the revision. */
export type FileMount = {
  /** Absolute path on the host. */
  readonly file: string;
  readonly target: string;
  /** Digest of the content, salted with the group's UID. */
  readonly content: string;
};

export type Logging = {
  readonly driver?: string;
  readonly options?: Readonly<Record<string, string>>;
};

export type NetworkAttachment = { readonly aliases?: readonly string[] };

export type PortMapping = {
  readonly target: number;
  /** Host port; may hold a placeholder. A range, `5200-5209`: slot n has the n-th. Absent: the engine picks one. */
  readonly published?: string;
  readonly protocol: "tcp" | "udp" | "sctp";
  readonly host_ip?: string;
};

/** As Compose writes it: `no`, `always`, `unless-stopped`, `on-failure`, `on-failure:5`. */
export type RestartPolicy = string;

export type Healthcheck = {
  /** `["NONE"]`, `["CMD", ...]` or `["CMD-SHELL", "..."]`; absent: the image's own test. */
  readonly test?: readonly string[];
  /** Seconds, as are the other durations. */
  readonly interval?: number;
  readonly timeout?: number;
  readonly start_period?: number;
  readonly retries?: number;
};

/** The project: the ownership domain for prune and lock. */
export type Project = {
  readonly name: string;
  readonly uid: string;
  /** Absolute folder of `wgctl.yaml`. */
  readonly root: string;
  /** Files and folders of manifests, absolute. */
  readonly manifests: readonly string[];
  /** Docker context the project is for; undefined: whatever the docker CLI would use. */
  readonly context: string | undefined;
  readonly actionsPerPass: number;
  /** Variables of the shell that manifests may read. */
  readonly env: readonly string[];
  readonly prune: boolean;
};
