// What wgctl makes of a service of a compose file is what docker compose makes of it: each worker service of the samples
// is imported, made on a real engine, inspected, and held against what scripts/record-compose.mjs has recorded.

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  dropImages,
  loadImages,
  placeSample,
  SAMPLES,
  VARIABLES,
} from "../../scripts/lib/compose-samples.mjs";
import { callApi, callJson } from "../../scripts/lib/docker-api.mjs";
import { normalInspect } from "../../scripts/lib/normal-inspect.mjs";
import { ROOT } from "../../scripts/lib/process.mjs";
import { createRequest } from "../../src/app/create-request.ts";
import { readSource } from "../../src/config/files.ts";
import { importCompose } from "../../src/config/import/import.ts";
import { load } from "../../src/config/load.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import { openDockerEngine } from "../../src/engine/docker/open.ts";
import { resolveEngine } from "../../src/engine/docker/resolve.ts";
import type { CreateRequest } from "../../src/engine/engine.ts";
import { cleanup, newRunId, RUN_LABEL, testHost } from "../support/engine.ts";
import { planFor, snapshot } from "../support/scene.ts";
import { ACCEPTED, acceptedAs, type Difference, differencesOf } from "./compose-differences.ts";

type Sample = (typeof SAMPLES)[number];
type Service = readonly [string, Sample];

const SERVICES: readonly Service[] = SAMPLES.flatMap((sample) =>
  sample.services.map((service) => [service, sample] as const),
);

const never = new AbortController().signal;
const run = newRunId();
const parent = await mkdtemp(join(tmpdir(), "wgctl-compose-"));
const engine = openDockerEngine(await resolveEngine({ host: testHost() }, {}), {
  environment: process.env,
});
const uids: string[] = [];
const volumes = new Set<string>();
const occurred = new Set<string>();

beforeAll(() => loadImages(testHost()));

afterAll(async () => {
  for (const uid of uids) await cleanup(`dev.wgctl.uid=${uid}`);
  await cleanup(run);
  await dropImages(testHost());
  for (const name of volumes) await callApi(testHost(), "DELETE", `/volumes/${name}`);
  await rm(parent, { recursive: true, force: true });
  await engine.close();
});

/** The engine's names begin with it, so that nothing of anybody else's is taken. */
const projectOf = ({ name }: Sample) => `${run}-${name.slice(0, 2)}`;

/** As `wgctl import` writes it, and as `wgctl apply` reads it. */
async function groupOf(service: string, sample: Sample, folder: string): Promise<DesiredGroup> {
  const { groups: texts, problems } = importCompose({
    path: join(folder, `${sample.name}.yaml`),
    services: [service],
    images: {},
    projectName: projectOf(sample),
    shellProjectName: undefined,
    folder,
    cwd: folder,
    grouped: false,
    schema: undefined,
    makeUid: () => `01998f6e-5c1b-7d2a-9a53-0c9f6f1f${String(uids.length).padStart(4, "0")}`,
    read: (path) => readSource(path, folder),
    exists: existsSync,
  });
  expect(problems).toEqual([]);
  const { groups } = await load({
    files: ["-"],
    project: undefined,
    cwd: folder,
    readStdin: async () => texts.map(({ text }) => text).join("---\n"),
    variables: { envFiles: ["samples.env"], shell: VARIABLES, names: Object.keys(VARIABLES) },
  });
  const [group] = groups;
  if (group === undefined) throw new Error(`nothing was imported of ${service}`);
  return group;
}

/** What the first worker of a group is made of. */
function firstWorker(group: DesiredGroup): CreateRequest {
  if (group.kind === "invalid") throw new Error(JSON.stringify(group.problems));
  const { spec } = group;
  const seen = { ...snapshot([]), images: { [spec.template.image]: "sha256:aaaa" } };
  const planned = planFor([group], seen);
  const [plan] = planned.groups;
  const create = planned.actions.find((action) => action.kind === "create");
  if (plan === undefined || create?.kind !== "create") throw new Error("nothing to create");
  const provenance = { projectUid: undefined, commit: undefined, taskId: "task" };
  return createRequest(plan, spec, create.worker, create.reason, provenance);
}

async function makeNetworks({ template }: CreateRequest): Promise<void> {
  for (const name of Object.keys(template.networks ?? {})) {
    const body = { Name: name, CheckDuplicate: true, Labels: { [RUN_LABEL]: run } };
    await callApi(testHost(), "POST", "/networks/create", { body });
  }
}

async function make(service: string, sample: Sample): Promise<unknown> {
  const folder = join(parent, sample.name);
  if (!existsSync(folder)) placeSample(sample, parent);
  const group = await groupOf(service, sample, folder);
  uids.push(group.identity.uid);
  const request = firstWorker(group);
  await makeNetworks(request);
  for (const { source, type } of request.template.volumes ?? [])
    if (type === "volume" && source !== undefined) volumes.add(source);
  const id = await engine.createWorker(request, never);
  const wire = await callJson(testHost(), "GET", `/containers/${id}/json`);
  return normalInspect(wire, { folder, project: projectOf(sample) });
}

async function recorded(service: string, { name }: Sample): Promise<unknown> {
  const file = join(ROOT, "fixtures/compose/recorded", `${name}.${service}.json`);
  return JSON.parse(await readFile(file, "utf8")).container;
}

it.each(SERVICES)("makes of the service %s what Compose makes of it", async (service, sample) => {
  const theirs = await recorded(service, sample);
  const differences = differencesOf(theirs, await make(service, sample));
  const isUnheardOf = (each: Difference) => acceptedAs(each) === undefined;
  expect(differences.filter(isUnheardOf)).toEqual([]);
  for (const each of differences) occurred.add(acceptedAs(each) ?? "");
});

it("accepts no difference that does not occur any more", () => {
  expect([...occurred].sort()).toEqual(Object.keys(ACCEPTED).sort());
});
