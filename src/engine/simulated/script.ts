// What a person may script about a simulated world: how workers live, what goes wrong, what the registry and the host
// have. Plain data, as it stands in a world's file.

import type { ErrorCode } from "../../core/errors.ts";
import type { Healthcheck } from "../../core/template.ts";
import type { Engine } from "../engine.ts";

/** A scripted life. Times are seconds since the start of the process. */
export type Life = {
  /** Whose life it is. All that is given must hold; nothing given: everybody's. */
  readonly match?: {
    /** As the template writes it. */
    readonly image?: string;
    /** Part of the command, its words joined by blanks. */
    readonly command?: string;
    /** `key` or `key=value`. */
    readonly label?: string;
    /** Beginning of the name. */
    readonly name?: string;
  };
  /** Only the first so many starts of each container. */
  readonly starts?: number;
  /** It cannot be started. `engine-rejected` is what a bad command gets. */
  readonly refuse?: {
    readonly code: "engine-rejected" | "engine-not-found" | "engine-failed";
    readonly message: string;
  };
  /** It ends by itself; code 0 unless told, 137 out of memory. */
  readonly end?: { readonly after: number; readonly code?: number; readonly outOfMemory?: boolean };
  /** When its health check passes: always unless told. */
  readonly healthy?: "never" | { readonly from?: number; readonly until?: number };
  /** It ends by itself so long after it was told to take no new work; code 0 unless told. Nothing given: it does not. */
  readonly quiet?: { readonly after: number; readonly code?: number };
  /** What commands run in it come to, by their first word; any other ends with 0. */
  readonly commands?: Readonly<Record<string, Command>>;
  /** The lines it writes when it starts. */
  readonly log?: readonly string[];
  /** What it makes of its stop signal, TERM, INT and QUIT: it ends at once with code 0 unless told. */
  readonly stop?: "ignore" | { readonly after?: number; readonly code?: number };
};

/** A command that is run in a worker. It takes no time. */
export type Command = {
  /** Its exit code; 0 unless told. */
  readonly code?: number;
  /** Another code, so many seconds after the start, or after the worker was told to take no new work. */
  readonly later?: {
    readonly after: number;
    readonly code: number;
    readonly since?: "start" | "quiet";
  };
  /** It tells the worker to take no new work, as a signal does that does not stop it. */
  readonly quiets?: boolean;
  /** It does not end. */
  readonly hangs?: boolean;
};

/** A call of the port, by the name of its method. */
export type CallName = Exclude<keyof Engine, "endpoint" | "close" | "waitForChange">;

export type Fault = {
  readonly call: CallName | "any";
  /** Beginning of a name, id or reference the call is about; absent: whatever it is about. */
  readonly on?: string;
  /** Calls that go well first; 0 unless told. */
  skip?: number;
  /** Calls it happens to; one unless told. */
  times?: number | "always";
  readonly effect: FaultEffect;
};

/** Times are seconds of virtual time. */
export type FaultEffect =
  /** Refused or cut off before anything happened. */
  | { readonly kind: "fail-before"; readonly code: FaultCode; readonly message?: string }
  /** It happens, and the answer is lost. */
  | { readonly kind: "fail-after"; readonly code: FaultCode; readonly message?: string }
  /** It takes so long, and the caller waits. */
  | { readonly kind: "slow"; readonly seconds: number }
  /** The caller gets no answer; it happens so long after the call arrived. */
  | { readonly kind: "late"; readonly seconds: number; readonly code?: FaultCode }
  /** No answer, no effect: the caller waits until its deadline or gives up. */
  | { readonly kind: "hang" }
  /** A listing or inspection as it was so long ago. */
  | { readonly kind: "stale"; readonly seconds: number }
  /** In a listing: containers whose names begin so are listed and cannot be inspected. */
  | { readonly kind: "unknown"; readonly name: string }
  /** A removal fails half-way and leaves a dead container. */
  | { readonly kind: "leave-dead" };

export type FaultCode = Extract<ErrorCode, `engine-${string}`>;

export type Image = {
  readonly id: string;
  /** Inherited by its containers. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly healthcheck?: Healthcheck;
  readonly stopSignal?: string;
  /** It came from the registry, and is known by its digest there. */
  readonly pulled?: true;
};

export type Registry = {
  /** What it says to every question while it is down; absent: it is up. */
  down?: string;
  /** Any reference can be pulled; the image's id follows from it. */
  anything: boolean;
  /** What a pull of a reference comes to, before `anything` is asked. */
  readonly images: Record<string, Offer>;
};

export type Offer =
  /** `seconds` is how long the pull takes. */
  | { readonly kind: "image"; readonly image: Image; readonly seconds?: number }
  | {
      readonly kind: "refusal";
      readonly code: "engine-denied" | "engine-not-found" | "engine-failed";
      readonly message: string;
    }
  /** The registry says nothing until the pull's deadline. */
  | { readonly kind: "silence" };

/** What running workers may take together. Docker knows no such limits; hosts do. */
export type Capacity = { workers?: number; cpus?: number; memory?: number };
