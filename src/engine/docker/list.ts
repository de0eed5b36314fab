// What containers there are: the listing with an inspect for each, and single look-ups.

import { hasCode, type WgctlError } from "../../core/errors.ts";
import type { NameHolder, UnknownWorker, WorkerFacts } from "../../core/observed.ts";
import type { LabelTest, Listing } from "../engine.ts";
import type { DockerClient } from "./client.ts";
import { decodeHolder, decodeList, decodeWorker, type ListedContainer } from "./decode.ts";
import { mapLimited } from "./limited.ts";
import type { Wire } from "./wire.ts";

/** Every worker of ours carries it. */
export const UID_LABEL = "dev.wgctl.uid";

/** More only stretches each call. */
export const READS_IN_FLIGHT = 8;

type Inspection =
  | { readonly kind: "known"; readonly facts: WorkerFacts }
  | { readonly kind: "gone" }
  | { readonly kind: "unknown"; readonly worker: UnknownWorker; readonly error: WgctlError };

/**
 * Lists the containers with our label and inspects each whose labels are meant.
 * One that vanishes meanwhile is left out, one the engine fails to tell about is unknown; when that is all
 * of them, or the connection is gone, the failure is thrown.
 */
export async function listWorkers(
  client: DockerClient,
  signal: AbortSignal,
  isMeant: LabelTest = () => true,
): Promise<Listing> {
  const { wire, date } = await client.read(
    {
      method: "GET",
      path: "/containers/json",
      query: { all: "1", filters: JSON.stringify({ label: [UID_LABEL] }) },
      what: "list the workers",
    },
    signal,
  );
  const meant = decodeList(wire).filter(({ labels }) => isMeant(labels));
  const inspections = await mapLimited(meant, READS_IN_FLIGHT, (listed) =>
    inspectListed(client, listed, signal),
  );
  return sortOut(date(), inspections);
}

async function inspectListed(
  client: DockerClient,
  listed: ListedContainer,
  signal: AbortSignal,
): Promise<Inspection> {
  try {
    const { wire } = await inspect(client, listed.id, signal);
    return { kind: "known", facts: decodeWorker(wire) };
  } catch (error) {
    if (hasCode(error, "engine-not-found")) return { kind: "gone" };
    if (hasCode(error, "engine-timeout", "engine-failed", "engine-rejected", "engine-denied")) {
      return { kind: "unknown", worker: listed, error };
    }
    throw error;
  }
}

function sortOut(now: number, inspections: readonly Inspection[]): Listing {
  const failed = inspections.filter((one) => one.kind === "unknown");
  const [first] = failed;
  if (first !== undefined && failed.length === inspections.length) throw first.error;
  return {
    now,
    workers: inspections.flatMap((one) => (one.kind === "known" ? [one.facts] : [])),
    unknown: failed.map((one) => one.worker),
  };
}

async function inspect(
  client: DockerClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<{ readonly now: number; readonly wire: Wire }> {
  const { wire, date } = await client.read(
    {
      method: "GET",
      path: `/containers/${encodeURIComponent(idOrName)}/json`,
      what: `inspect the container ${idOrName}`,
    },
    signal,
  );
  return { now: date(), wire };
}

/** A container by its id or exact name; undefined: there is none. */
export async function inspectWorker(
  client: DockerClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<{ readonly now: number; readonly facts: WorkerFacts } | undefined> {
  const found = await findContainer(client, idOrName, signal);
  return found === undefined ? undefined : { now: found.now, facts: decodeWorker(found.wire) };
}

/** A container by its id or exact name, as the engine tells it; undefined: there is none. */
export async function findContainer(
  client: DockerClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<{ readonly now: number; readonly wire: Wire } | undefined> {
  try {
    const found = await inspect(client, idOrName, signal);
    const { id, name } = decodeHolder(found.wire);
    // The engine also takes the beginning of an id for one.
    return [id, name].includes(idOrName) ? found : undefined;
  } catch (error) {
    if (hasCode(error, "engine-not-found")) return undefined;
    throw error;
  }
}

/** The whole id of a container that a person means by its name, its id, or the beginning of one. */
export async function findId(
  client: DockerClient,
  meant: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return decodeHolder((await inspect(client, meant, signal)).wire).id;
  } catch (error) {
    if (hasCode(error, "engine-not-found")) return undefined;
    throw error;
  }
}

/** Who holds each name; a free one is left out. */
export async function findHolders(
  client: DockerClient,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, NameHolder>>> {
  const found = await mapLimited(names, READS_IN_FLIGHT, async (name) => {
    const holder = await findContainer(client, name, signal);
    return holder === undefined ? [] : [[name, holderOf(holder.wire)] as const];
  });
  return Object.fromEntries(found.flat());
}

function holderOf(container: Wire): NameHolder {
  const { id, labels } = decodeHolder(container);
  return { id, labels };
}
