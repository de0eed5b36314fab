// What a worker is made from: a Compose service, normalised. The planner compares it and the engine gets it.

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
