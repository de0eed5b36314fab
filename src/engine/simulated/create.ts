// Making a container: what the engine refuses at once, what a new one inherits from its image, and its name.

import type { RestartPolicy, Template } from "../../core/template.ts";
import type { CreateRequest } from "../engine.ts";
import { resolveCheck } from "./health.ts";
import { record } from "./history.ts";
import { findImage } from "./image.ts";
import { limitsOf, wrongLimits } from "./limits.ts";
import { refusal } from "./refusal.ts";
import type { Image } from "./script.ts";
import { signalName } from "./signal.ts";
import { type Container, nextId, type World } from "./world.ts";

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;
const POLICY = /^(no|always|unless-stopped|on-failure(:\d+)?)$/;
const SHORTEST_INTERVAL = 0.001;

/** Judges a request and holds its name; answers with the id the container is going to have. */
export function beginCreate(world: World, { name, template }: CreateRequest): string {
  const what = `create the container ${name}`;
  const wrong = wrongValue(world, template);
  if (wrong !== undefined) throw refusal("engine-rejected", what, wrong);
  requireImage(world, template.image, what);
  requireFreeName(world, name, what);
  // The first network is looked for when the container starts, the others are connected now.
  const [, ...further] = networksOf(template);
  const missing = further.find((network) => !world.networks.includes(network));
  if (missing !== undefined) {
    throw refusal("engine-not-found", what, `network ${missing} not found`);
  }
  const id = nextId(world);
  world.names[name] = id;
  return id;
}

function wrongValue(world: World, template: Template): string | undefined {
  const { stop_signal: signal, healthcheck, restart = "no" } = template;
  const wrong = wrongLimits(world, limitsOf({ template }));
  if (wrong !== undefined) return wrong;
  if (signal !== undefined && signalName(signal) === undefined) return `invalid signal: ${signal}`;
  const { interval } = healthcheck ?? {};
  if (interval !== undefined && interval > 0 && interval < SHORTEST_INTERVAL) {
    return "the interval of a health check cannot be less than 1 ms";
  }
  return wrongPolicy(restart);
}

/** What is wrong with a restart policy; undefined: nothing. */
export function wrongPolicy(policy: RestartPolicy): string | undefined {
  return POLICY.test(policy) ? undefined : `invalid restart policy '${policy}'`;
}

function requireImage(world: World, reference: string, what: string): Image {
  const image = findImage(world, reference);
  if (image === undefined) throw refusal("engine-not-found", what, `no such image: ${reference}`);
  return image;
}

/** Throws where a container may not have that name: `engine-rejected`, or `engine-conflict` for a taken one. */
export function requireFreeName(world: World, name: string, what: string): void {
  if (!NAME.test(name)) {
    throw refusal("engine-rejected", what, `invalid container name (${name})`);
  }
  const holder = world.names[name];
  if (holder !== undefined) {
    throw refusal("engine-conflict", what, `the name ${name} is in use by container ${holder}`);
  }
}

/** The container is there. Throws where its image has gone meanwhile, which frees the name. */
export function finishCreate(world: World, id: string, request: CreateRequest): void {
  const { name, labels, template } = request;
  const image = findImage(world, template.image);
  if (image === undefined) {
    delete world.names[name];
    requireImage(world, template.image, `create the container ${name}`);
    return;
  }
  const stopSignal = template.stop_signal ?? image.stopSignal;
  const container: Container = {
    id,
    name,
    labels: { ...image.labels, ...labels },
    imageId: image.id,
    createdAt: world.now,
    template: structuredClone(template),
    check: resolveCheck(template.healthcheck, image),
    stopSignal: stopSignal === undefined ? undefined : signalName(stopSignal),
    networks: [...networksOf(template)],
    restartPolicy: template.restart ?? "no",
    restartCount: 0,
    restartWait: 0,
    restartCalledOff: false,
    stoppedByHand: false,
    starts: 0,
    health: undefined,
    verdict: undefined,
    state: { kind: "created" },
  };
  world.containers[id] = container;
  record(world, container, "create");
}

/** Names of the networks a template asks for, sorted; the engine's own bridge where it asks for none. */
function networksOf({ networks, network_mode: mode }: Template): readonly string[] {
  const named = Object.keys(networks ?? {}).sort();
  if (named.length > 0) return named;
  if (mode?.startsWith("container:")) return [];
  return [mode ?? "bridge"];
}
