// The small worlds that are explored, and how each begins.

import { encodeLabels } from "../../src/core/labels.ts";
import type { DesiredGroup, RolloutPolicy } from "../../src/core/model.ts";
import type { Template } from "../../src/core/template.ts";
import { openSimulatedEngine } from "../../src/engine/simulated/open.ts";
import { containersOf, newWorld, type World } from "../../src/engine/simulated/world.ts";
import { buildDesired, buildIdentity, buildLabels, buildSpec, UID } from "../support/build.ts";
import type { Setting } from "./cast.ts";
import {
  ADOPTER,
  BAD_COMMAND,
  BYSTANDER,
  HALF_BAD_COMMAND,
  type Limits,
  limitsOf,
  PLACE,
  type PromiseKey,
} from "./promises.ts";
import { settle } from "./settle.ts";

type Valid = DesiredGroup & { readonly kind: "valid" };

const never = new AbortController().signal;
const none = { kind: "count", count: 0 } as const;
const one = { kind: "count", count: 1 } as const;

const ONE_BY_ONE: Partial<RolloutPolicy> = { maxUnavailable: one, maxSurge: none };
export const WITH_SURGE: Partial<RolloutPolicy> = { maxUnavailable: none, maxSurge: one };

/** What somebody declares: so many workers on a queue, which makes their revision. */
function wish(
  replicas: number,
  queue: string,
  rollout: Partial<RolloutPolicy>,
  more: Partial<Template> = {},
): Valid {
  const policy = { ...buildSpec().rollout, minReadySeconds: 0, ...rollout };
  const template = { image: "mailer:1", environment: { QUEUE: queue }, ...more };
  const group = buildDesired({ replicas, template, rollout: policy });
  if (group.kind !== "valid") throw new Error("a built group is valid");
  return group;
}

/** One by one, or with surge. */
type How = "plain" | "surge";

const declared = (replicas: number, queue: string, how: How = "plain") =>
  wish(replicas, queue, how === "surge" ? WITH_SURGE : ONE_BY_ONE);

/** A setting, how it begins, and what is known to break in it. */
export type Explored = {
  readonly setting: Setting;
  /** What is declared and done before; undefined: nothing is there. */
  readonly before: Valid | undefined;
  /** Containers that somebody else runs there, and that all writers adopt; none unless told. */
  readonly adopts?: number;
  /** What is not promised there. That it is found shows that the exploration sees. */
  readonly breaks: readonly PromiseKey[];
  /** States at most; undefined: all of them. */
  readonly most?: number;
};

const BARE = { leases: true, looks: [30], faults: 0, deaths: 0, sleeps: 0 } as const;
/** The second writer is a short one, or there would be no end of what can come between. */
const PAIR = { ...BARE, looks: [30, 2] } as const;

/** One writer: every order of its own calls, whatever goes wrong and wherever it dies. */
export function alone(
  name: string,
  before: number,
  replicas: number,
  how: How,
  troubles: Partial<Setting>,
): Explored {
  return {
    before: before === 0 ? undefined : declared(before, "mail", how),
    setting: { ...BARE, name, wishes: [declared(replicas, "post", how)], ...troubles },
    breaks: [],
  };
}

/** One writer whose wish fails, and what is wished once it has. */
export function failing(
  name: string,
  replicas: number,
  rollout: Partial<RolloutPolicy>,
  troubles: Partial<Setting>,
  command = BAD_COMMAND,
): Explored {
  const policy = { ...ONE_BY_ONE, ...rollout, minReadySeconds: 2 };
  const bad = wish(replicas, "post", policy, { command: [command] });
  const cure = wish(replicas, "parcel", policy);
  return {
    before: wish(replicas, "mail", policy),
    setting: { ...BARE, name, wishes: [bad], cure, ...troubles },
    breaks: [],
  };
}

/** One writer that takes over what somebody else runs. */
export function adopting(
  name: string,
  adopts: number,
  how: How,
  troubles: Partial<Setting>,
): Explored {
  const setting = { ...BARE, name, wishes: [declared(adopts, "post", how)], ...troubles };
  return { before: undefined, adopts, setting, breaks: [] };
}

/** The setting in a world whose foreign containers are to be adopted. */
export function withAdopted(setting: Setting, world: World): Setting {
  const adopt = containersOf(world)
    .filter(({ labels }) => labels[ADOPTER] !== undefined)
    .map(({ id }) => id);
  if (adopt.length === 0) return setting;
  return { ...setting, wishes: setting.wishes.map((group) => ({ ...group, adopt })) };
}

/** Two writers on two machines that want the same, or one of them what was there before. */
export function pair(
  name: string,
  before: number,
  [first, second]: readonly [string, string],
  replicas: number,
  how: How,
  { breaks = [], ...troubles }: Partial<Setting & Pick<Explored, "breaks">> = {},
): Explored {
  const wishes = [declared(replicas, first, how), declared(replicas, second, how)];
  return {
    before: before === 0 ? undefined : declared(before, "mail", how),
    setting: { ...PAIR, name, wishes, ...troubles },
    breaks,
  };
}

/** A world with a bystander, in which so much was declared and done; undefined: nothing. */
export async function beginning(
  { adopts = 0, before }: Pick<Explored, "adopts" | "before">,
  folder: string,
): Promise<World> {
  const world = newWorld({ tags: { "mailer:1": "sha256:1111" } });
  const end = { after: 1, code: 3 };
  world.lives.push(
    { match: { command: HALF_BAD_COMMAND, name: "mailer-2-" }, end },
    { match: { command: HALF_BAD_COMMAND } },
    { match: { command: BAD_COMMAND }, end },
  );
  const engine = openSimulatedEngine({ world });
  const group = buildIdentity({ uid: "somebody-else" });
  const labels = encodeLabels(buildLabels({ group, name: BYSTANDER }));
  const template = { image: "mailer:1" };
  const id = await engine.createWorker({ name: BYSTANDER, labels, template }, never);
  await engine.startWorker(id, never);
  for (let place = 1; place <= adopts; place += 1) {
    const known = { [ADOPTER]: UID, [PLACE]: String(place) };
    const shop = { name: `shop-${place}`, labels: known, template };
    await engine.startWorker(await engine.createWorker(shop, never), never);
  }
  if (before !== undefined) {
    const broken = await settle(world, folder, before, ANYTHING);
    if (broken.length > 0) throw new Error(`the world does not begin as declared: ${broken}`);
  }
  return world;
}

const ANYTHING: Limits = { most: 9, perSlot: 9, least: 0 };

/** What is allowed while the workers of a world become what its writers wish. */
export function limitsFor({ wishes }: Setting, { adopts, before }: Explored): Limits {
  const all = [...wishes, ...(before === undefined ? [] : [before])].map(({ spec }) =>
    limitsOf(spec),
  );
  return {
    most: Math.max(...all.map(({ most }) => most)),
    perSlot: Math.max(...all.map(({ perSlot }) => perSlot)),
    least:
      before === undefined && adopts === undefined ? 0 : Math.min(...all.map(({ least }) => least)),
  };
}
