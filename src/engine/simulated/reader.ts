// The reading half of the port over a simulated world.

import { uidOf } from "../../core/labels.ts";
import type { NameHolder, WorkerFacts } from "../../core/observed.ts";
import type { Claim, EngineReader, LabelTest, Listing } from "../engine.ts";
import { factsOf, holderOf } from "./facts.ts";
import { signalledSince, wholeSecond } from "./history.ts";
import { askRegistry, imageFacts, offerOf } from "./image.ts";
import { logOf } from "./log.ts";
import { Past } from "./past.ts";
import { requireContainer } from "./refusal.ts";
import type { FaultEffect } from "./script.ts";
import type { CallSite, Session } from "./session.ts";
import { templateOf } from "./template.ts";
import { type Container, containersOf, findContainer, type World } from "./world.ts";

/** Opens the reading half. */
export function openReader(session: Session, endpoint: string): EngineReader {
  const { world } = session;
  const past = new Past(world);
  let seen = world.wakeUps;
  return {
    endpoint,
    identify: (signal) =>
      session.read({ call: "identify", about: [] }, signal, () => ({ ...world.engine })),
    listWorkers: (signal, isMeant = () => true) => {
      // What happened before a listing needs no wake-up any more.
      seen = world.wakeUps;
      const about = containersOf(world).map(({ name }) => name);
      return session.read({ call: "listWorkers", about }, signal, (fault) =>
        list(world, past, fault, isMeant),
      );
    },
    inspectWorker: (idOrName, signal) =>
      session.read({ call: "inspectWorker", about: [idOrName] }, signal, (fault) => {
        const facts = inspect(world, past, idOrName, fault);
        return facts && { now: wholeSecond(world.now), facts };
      }),
    findId: (meant, signal) =>
      session.read(
        { call: "findId", about: [meant] },
        signal,
        () => findContainer(world, meant)?.id,
      ),
    resolveImages: (references, signal) =>
      session.read({ call: "resolveImages", about: references }, signal, () =>
        Object.fromEntries(references.map((each) => [each, imageFacts(world, each)])),
      ),
    findDigest: (reference, signal) => findDigest(session, reference, signal),
    findHolders: (names, signal) =>
      session.read({ call: "findHolders", about: names }, signal, () => holders(world, names)),
    findMissingNetworks: (names, signal) =>
      session.read({ call: "findMissingNetworks", about: names }, signal, () =>
        names.filter((name) => !world.networks.includes(name)),
      ),
    findSignalled: (ids, since, signal) =>
      session.read({ call: "findSignalled", about: ids }, signal, () =>
        signalledSince(world, ids, since),
      ),
    readLogs: (id, lines, signal) =>
      session.read({ call: "readLogs", about: [id] }, signal, () => {
        const container = requireContainer(
          world,
          id,
          `read the log of the container ${id.slice(0, 12)}`,
        );
        return logOf(container, world, lines);
      }),
    readTemplate: (idOrName, signal) =>
      session.read({ call: "readTemplate", about: [idOrName] }, signal, () => {
        const container = findExactly(world, idOrName);
        return container && templateOf(container, world.images[container.imageId]);
      }),
    listClaims: (prefix, signal) =>
      session.read({ call: "listClaims", about: [prefix] }, signal, () => ({
        now: wholeSecond(world.now),
        claims: claimsOf(world, prefix),
      })),
    waitForChange: async (milliseconds, signal) => {
      await session.wait(milliseconds, signal, () => world.wakeUps > seen);
      seen = world.wakeUps;
    },
    close: () => session.close(),
  };
}

async function findDigest(
  session: Session,
  reference: string,
  signal: AbortSignal,
): Promise<string> {
  const site: CallSite = { call: "findDigest", about: [reference] };
  if (offerOf(session.world, reference).kind === "silence") await session.waitInVain(site, signal);
  return session.read(site, signal, () => askRegistry(session.world, reference));
}

function list(
  world: World,
  past: Past,
  fault: FaultEffect | undefined,
  isMeant: LabelTest,
): Listing {
  const ours = containersOf(world).filter(
    ({ labels }) => uidOf(labels) !== undefined && isMeant(labels),
  );
  const hidden = ours.filter(
    ({ name }) => fault?.kind === "unknown" && name.startsWith(fault.name),
  );
  const shown = ours.filter((each) => !hidden.includes(each)).map(factsOf);
  return {
    now: wholeSecond(world.now),
    workers: past.see(shown, fault),
    unknown: hidden.map(({ id, name, labels }) => ({ id, name, labels })),
  };
}

function claimsOf({ claims }: World, prefix: string): readonly Claim[] {
  return Object.entries(claims)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, labels]) => ({ name, labels: { ...labels } }));
}

function inspect(
  world: World,
  past: Past,
  idOrName: string,
  fault: FaultEffect | undefined,
): WorkerFacts | undefined {
  const old = fault?.kind === "stale" ? past.recall(fault.seconds) : undefined;
  if (old !== undefined) return old.find(({ id, name }) => id === idOrName || name === idOrName);
  const container = findExactly(world, idOrName);
  return container && factsOf(container);
}

function findExactly(world: World, idOrName: string): Container | undefined {
  const container = findContainer(world, idOrName);
  // The engine also takes the beginning of an id, and a name that is only held, for one.
  const isMeant = container?.id === idOrName || container?.name === idOrName;
  return isMeant ? container : undefined;
}

function holders(world: World, names: readonly string[]): Readonly<Record<string, NameHolder>> {
  const found = names.flatMap((name) => {
    const container = findContainer(world, name);
    return container?.name === name ? [[name, holderOf(container)] as const] : [];
  });
  return Object.fromEntries(found);
}
