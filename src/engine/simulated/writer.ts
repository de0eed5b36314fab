// The writing half of the port over a simulated world.

import type { Engine, EngineReader } from "../engine.ts";
import { hangs } from "./command.ts";
import { offerOf } from "./image.ts";
import type { Session } from "./session.ts";

/** The calls that change something. */
export type EngineWriter = Omit<Engine, keyof EngineReader>;

/** Opens the writing half; a pull gives up after that much silence (ms of virtual time). */
export function openWriter(session: Session, pullSilenceMs: number): EngineWriter {
  return {
    createWorker: (request, signal) =>
      session.write({ about: [request.name] }, { kind: "createWorker", request }, signal),
    startWorker: async (id, signal) => {
      await session.write({ about: [id] }, { kind: "startWorker", id }, signal);
    },
    renameWorker: async (id, name, signal) => {
      await session.write({ about: [id] }, { kind: "renameWorker", id, name }, signal);
    },
    setRestartPolicy: async (id, policy, signal) => {
      await session.write({ about: [id] }, { kind: "setRestartPolicy", id, policy }, signal);
    },
    updateLimits: async (id, limits, signal) => {
      await session.write({ about: [id] }, { kind: "updateLimits", id, limits }, signal);
    },
    execInWorker: (id, argv, signal) => exec(session, id, argv, signal),
    signalWorker: async (id, name, signal) => {
      await session.write({ about: [id] }, { kind: "signalWorker", id, signal: name }, signal);
    },
    removeWorker: async (id, signal) => {
      await session.write({ about: [id] }, { kind: "removeWorker", id }, signal);
    },
    pullImage: (reference, progress, signal) =>
      pull(session, pullSilenceMs, reference, progress, signal),
    makeClaim: async (claim, signal) => {
      await session.write({ about: [claim.name] }, { kind: "makeClaim", claim }, signal);
    },
    dropClaim: async (name, signal) => {
      await session.write({ about: [name] }, { kind: "dropClaim", name }, signal);
    },
  };
}

async function exec(
  session: Session,
  id: string,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const about = [id];
  if (hangs(session.world, id, argv)) {
    await session.waitInVain({ about, call: "execInWorker" }, signal);
  }
  return Number(await session.write({ about }, { kind: "execInWorker", id, argv }, signal));
}

async function pull(
  session: Session,
  pullSilenceMs: number,
  reference: string,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const site = { about: [reference], deadlineMs: pullSilenceMs };
  progress("pulling");
  const offer = offerOf(session.world, reference);
  if (offer.kind === "silence") await session.waitInVain({ ...site, call: "pullImage" }, signal);
  if (offer.kind === "image") await session.spend(offer.seconds ?? 0, signal);
  await session.write(site, { kind: "pullImage", reference }, signal);
  progress("pulled");
}
