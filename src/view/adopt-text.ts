// What `adopt` says of the containers that a group takes over, before anybody is asked.

import type { Adoption, Claimed } from "../app/adopt.ts";
import { shortId } from "../core/adoption.ts";
import { shortImage } from "../core/plan/why.ts";
import type { Paint } from "./style.ts";
import { type Cell, renderTable } from "./table.ts";
import { groupTitle, plural } from "./text.ts";

const PROJECT = "com.docker.compose.project";
const SERVICE = "com.docker.compose.service";

/** The containers with their slots, and what a person has to know of them. */
export function renderAdoption({ adopter, containers }: Adoption, paint: Paint): string {
  const { replicas } = adopter.spec;
  const rows = containers.map((each) => containerRow(each, replicas));
  const warnings = [...composeWarnings(containers), ...endWarnings(containers)];
  const alerts = warnings.map((text): readonly Cell[] => [{ text: "!", tone: "alert" }, text]);
  const title = `${groupTitle(adopter.identity)} adopts ${plural(containers.length, "container")}`;
  const lines = [
    `${paint("strong", title)}${containers.length === 0 ? ": what its manifest names is gone" : ""}`,
    ...renderTable(rows, { paint, indent: 2 }),
    ...renderTable(alerts, { paint, indent: 2 }),
  ];
  return `${lines.join("\n")}\n`;
}

function containerRow({ facts, slot }: Claimed, replicas: number): readonly Cell[] {
  const { id, imageId, name, run } = facts;
  const place = slot > replicas ? "no slot: it goes without a successor" : `slot ${slot}`;
  return [name, shortId(id), shortImage(imageId), run.kind, place];
}

/** Compose makes what is missing of a service, and knows nothing of its workers elsewhere. */
function composeWarnings(containers: readonly Claimed[]): readonly string[] {
  const services = containers.flatMap(({ facts: { labels } }) =>
    labels[SERVICE] === undefined ? [] : [`${labels[SERVICE]} of ${labels[PROJECT] ?? "?"}`],
  );
  return [...new Set(services)]
    .sort()
    .map(
      (service) =>
        `take the service ${service} out of the compose file: docker compose up would start it again`,
    );
}

function endWarnings(containers: readonly Claimed[]): readonly string[] {
  return containers.flatMap(({ facts: { autoRemove, name, run } }) => [
    ...(autoRemove
      ? [`${name} was run with --rm: once it ends it is gone, and cannot come back`]
      : []),
    ...(run.kind === "exited" || run.kind === "created"
      ? [`${name} does not run: it is removed and not started again`]
      : []),
  ]);
}
