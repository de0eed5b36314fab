// The process lock: one wgctl at a time per engine endpoint and project on this host. Says what is locked, who
// holds it and how long to wait; the holding itself is socket-lock.ts.

import { createHash } from "node:crypto";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WgctlError } from "../core/errors.ts";
import { describeHolder, encodeHolder, type HolderFacts } from "../core/holder.ts";
import { type HeldSocket, holdOrAsk } from "./socket-lock.ts";

const POLL_MS = 200;
/** Bytes, by the kernel: one longer would be cut, and two locks could be one. */
const LONGEST_ADDRESS = 107;
const UNIX_SCHEME = "unix://";

export type LockRequest = {
  /** As the engine port names it: `unix:///run/docker.sock`. */
  readonly endpoint: string;
  /** Undefined: all unnamed projects share one lock. */
  readonly projectUid: string | undefined;
  /** Made when somebody asks. */
  readonly facts: () => HolderFacts;
  /** 0: one try. */
  readonly timeoutMs: number;
  /** Told in words for a person when waiting begins, and again when the holder changes. */
  readonly onWait: (holder: string) => void;
};

/** A held lock. It ends with its process, so `release` only passes it on sooner. */
export type Lock = HeldSocket & {
  /**
   * Names what the lock excludes others from: who held it before under the same name is gone. Undefined where the
   * system does not say enough.
   */
  scope(): string | undefined;
};

/**
 * Takes the lock, waiting up to `timeoutMs` for it; throws `lock-held` naming the holder, or `aborted`.
 * The lock keeps no process alive by itself, and on Linux it writes no file.
 */
export async function acquireLock(request: LockRequest, signal: AbortSignal): Promise<Lock> {
  const key = `${request.projectUid ?? "unnamed"}@${realEndpoint(request.endpoint)}`;
  const address = lockAddress(key, process.platform);
  const deadline = Date.now() + request.timeoutMs;
  let told = "";
  for (;;) {
    const outcome = await holdOrAsk(address, () => encodeHolder(request.facts()));
    if (outcome.kind === "held") return { ...outcome.socket, scope: () => scopeOf(address) };
    const holder = describeHolder(outcome.answer ?? "") ?? "a process that does not answer";
    const left = deadline - Date.now();
    if (left <= 0) throw lockHeld(holder, request.timeoutMs);
    if (holder !== told) request.onWait(holder);
    told = holder;
    await pause(Math.min(POLL_MS, left), signal);
  }
}

/** Two paths to one socket are one engine. */
function realEndpoint(endpoint: string): string {
  if (!endpoint.startsWith(UNIX_SCHEME)) return endpoint;
  const path = endpoint.slice(UNIX_SCHEME.length);
  try {
    return UNIX_SCHEME + realpathSync(path);
  } catch {
    // A socket that is not there cannot be resolved; the engine adapter will say so better than we could.
    return endpoint;
  }
}

/**
 * An abstract socket on Linux, which goes with its process; elsewhere a socket file, which may be left behind.
 * A key too long for an address stands there as its digest.
 */
export function lockAddress(key: string, platform: NodeJS.Platform): string {
  if (platform !== "linux") return join(tmpdir(), `wgctl-${digest(key).slice(0, 16)}.sock`);
  const address = `\0wgctl/${key}`;
  return Buffer.byteLength(address) <= LONGEST_ADDRESS ? address : `\0wgctl/${digest(key)}`;
}

/** Abstract sockets are the network namespace's, and that is the running kernel's. */
function scopeOf(address: string): string | undefined {
  try {
    const kernel = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    const host = readFileSync("/proc/sys/kernel/hostname", "utf8");
    return digest(JSON.stringify([kernel, host, readlinkSync("/proc/self/ns/net"), address]));
  } catch {
    return undefined;
  }
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

function lockHeld(holder: string, timeoutMs: number): WgctlError {
  const waited = timeoutMs === 0 ? "" : ` (waited ${Math.round(timeoutMs / 1000)}s)`;
  return new WgctlError("lock-held", `the lock is held by ${holder}${waited}`, {
    hint: "wait for it with --lock-timeout, or leave it alone with --if-locked=skip",
  });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new WgctlError("aborted", "stopped while waiting for the lock", { cause });
  }
}
