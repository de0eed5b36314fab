// One service -> the draft of a group: every field taken, translated, left out or refused. Across fields: rules.ts.

import { splitVariables } from "../interpolation.ts";
import type { Service } from "./compose-file.ts";
import { takeDeploy, takeReplicas } from "./deploy.ts";
import {
  beginDraft,
  type Context,
  type Drafting,
  inNumber,
  listed,
  note,
  noteDropped,
  refuse,
} from "./draft.ts";
import { takeNetworks, takeVolumes } from "./engine-names.ts";
import { takeFiles } from "./file-mounts.ts";
import { mapPaths, seenFrom } from "./paths.ts";
import { applyRules, environmentOf, refuseUnreachable } from "./rules.ts";
import { escapeBraces } from "./texts.ts";
import { treatments } from "./treatments.ts";
import { fieldsOf, mapScalars, textFrom, textOf, type Value } from "./value.ts";

type Take = (value: Value, drafting: Drafting) => void;

/** The draft of a service, with what speaks against it in `problems`. */
export function translate(service: Service, context: Context): Drafting {
  const drafting = beginDraft(service, context);
  takeImage(drafting);
  const fields = mapPaths(service.fields, (path) => seeFromManifest(path, drafting));
  for (const [name, value] of fields) takeField(name, value, drafting);
  if (!drafting.template.has("network_mode")) takeNetworks(fields.get("networks"), drafting);
  refuseUnreachable(drafting);
  applyRules(drafting);
  return drafting;
}

/** A path as the manifest has it; what its value will be, a variable does not say. */
function seeFromManifest(path: string, drafting: Drafting): string {
  const { way } = drafting.context;
  const seen = seenFrom(way, path);
  const isOpen = way !== "" && /^\$(?!\$)/.test(path);
  const text = `a relative value of ${splitVariables(path)[0]} begins at this manifest's folder, in Compose at ${way}`;
  if (isOpen && !drafting.notes.some((one) => one.text === text)) note(drafting, "paths", text);
  return seen;
}

/** True for a service of which only the image is not known. */
export function needsImage({ fields, name }: Service, context: Pick<Context, "images">): boolean {
  const isKnown = textOf(fields.get("image")) !== undefined || context.images[name] !== undefined;
  return !isKnown && fields.has("build");
}

/** First in the template, wherever the service has it. */
function takeImage(drafting: Drafting): void {
  const { service, context, template } = drafting;
  const given = context.images[service.name];
  const image = service.fields.get("image");
  if (given !== undefined) {
    template.set("image", textFrom(image?.origin ?? service.origin, given));
    note(drafting, "image", "given with --image", ["spec", "template", "image"]);
  } else if (image?.kind === "text") template.set("image", image);
  else if (service.fields.has("build"))
    refuse(
      drafting,
      "build",
      service.fields.get("build")?.origin ?? service.origin,
      `${service.name} is built here, and a manifest needs an image`,
      `build and push it, and give --image ${service.name}=REFERENCE`,
    );
  else refuse(drafting, "image", service.origin, `${service.name} has no image`);
}

function takeField(name: string, value: Value, drafting: Drafting): void {
  if (value.kind === "empty" || name.startsWith("x-")) return;
  const take = TAKES[name] ?? (treatments[name]?.kind === "dropped" ? drop(name) : keep(name));
  take(value, drafting);
}

function keep(name: string): Take {
  return (value, { template }) => template.set(name, value);
}

function drop(name: string): Take {
  return (_, drafting) => noteDropped(drafting, name);
}

/** A field whose braces are text to Compose. */
function keepBraces(name: string): Take {
  return (value, { template }) => template.set(name, withBraces(value));
}

function withBraces(value: Value): Value {
  return mapScalars(value, [], (one) =>
    one.kind === "text" ? { ...one, text: escapeBraces(one.text) } : one,
  );
}

const nothing: Take = () => undefined;

const TAKES: Readonly<Record<string, Take>> = {
  image: nothing,
  networks: nothing, // also without the field: see above
  depends_on: nothing, // see rules.ts
  build: (_, drafting) => {
    if (drafting.template.has("image")) noteDropped(drafting, "build");
  },
  scale: takeReplicas("scale"),
  deploy: takeDeploy,
  environment: takeEnvironment,
  volumes: (value, drafting) => takeVolumes(withBraces(value), drafting),
  command: keepBraces("command"),
  entrypoint: keepBraces("entrypoint"),
  labels: keepBraces("labels"),
  hostname: keepBraces("hostname"),
  secrets: takeFiles("secrets"),
  configs: takeFiles("configs"),
  healthcheck: takeHealthcheck,
  pull_policy: takePullPolicy,
  restart: (value, { template, service }) => {
    if (!fieldsOf(service.fields.get("deploy")).has("restart_policy"))
      template.set("restart", value);
  },
};

function takeEnvironment(value: Value, drafting: Drafting): void {
  drafting.template.set("environment", withBraces(value));
  const bare = environmentOf(value).flatMap(([name, text]) => (text === undefined ? [name] : []));
  if (bare.length === 0) return;
  const have = inNumber(bare.length, "has", "have");
  const text = `${listed(bare)} ${have} no value here: set in .env, or name for the shell's with --env or spec.env of wgctl.yaml`;
  note(drafting, "environment", text, ["spec", "template", "environment"]);
}

function takeHealthcheck(value: Value, drafting: Drafting): void {
  const fields = new Map(fieldsOf(value));
  if (fields.delete("start_interval")) noteDropped(drafting, "healthcheck.start_interval");
  drafting.template.set(
    "healthcheck",
    value.kind === "map" ? { ...value, entries: fields } : value,
  );
}

function takePullPolicy(value: Value, drafting: Drafting): void {
  if (textOf(value) !== "build") drafting.template.set("pull_policy", value);
  else note(drafting, "pull_policy", "build is left out; wgctl builds nothing");
}
