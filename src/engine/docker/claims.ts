// Claims as volumes that nothing mounts: the one thing on an engine that is made under a name of one's own, carries
// labels, and stays as it is when somebody else makes it again.

import { hasCode } from "../../core/errors.ts";
import type { Claim, ListedClaim } from "../engine.ts";
import type { DockerClient } from "./client.ts";
import { at, readItems, readOr, readText, readTexts, type Wire } from "./wire.ts";

/** Volumes whose names begin so. */
export async function listClaims(
  client: DockerClient,
  prefix: string,
  signal: AbortSignal,
): Promise<{ readonly now: number; readonly claims: readonly ListedClaim[] }> {
  const { wire, date } = await client.read(
    {
      method: "GET",
      path: "/volumes",
      // It matches anywhere in the name, and as a pattern.
      query: { filters: JSON.stringify({ name: [prefix] }) },
      what: "list the claims",
    },
    signal,
  );
  const claims = readItems(at(wire, "Volumes"))
    .map(decodeClaim)
    .filter(({ name }) => name.startsWith(prefix));
  return { now: date(), claims };
}

function decodeClaim(volume: Wire): ListedClaim {
  // Some drivers tell no time.
  const createdAt = Date.parse(readOr(at(volume, "CreatedAt"), readText, ""));
  return {
    name: readText(at(volume, "Name")),
    labels: readTexts(at(volume, "Labels")),
    ...(Number.isNaN(createdAt) ? {} : { createdAt }),
  };
}

/** Makes a volume; the engine answers with the one that is there, if there is one, and leaves it as it is. */
export async function makeClaim(
  client: DockerClient,
  { name, labels }: Claim,
  signal: AbortSignal,
): Promise<void> {
  const body = { Name: name, Labels: labels };
  const what = `make the claim ${name}`;
  await client.call({ method: "POST", path: "/volumes/create", body, what }, signal);
}

/** Removes a volume; gone already is success. */
export async function dropClaim(
  client: DockerClient,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/volumes/${encodeURIComponent(name)}`;
  try {
    await client.call({ method: "DELETE", path, what: `drop the claim ${name}` }, signal);
  } catch (error) {
    if (!hasCode(error, "engine-not-found")) throw error;
  }
}
