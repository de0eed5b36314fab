// Containers that are none of wgctl's business, some of them dressed up as if they were.

import { callApi, callJson } from "../../scripts/lib/docker-api.mjs";
import { RUN_LABEL, runContainer, testHost } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import type { Stage } from "./stage.ts";

export type Bystanders = {
  /** Ids by what each of them is. */
  readonly ids: Readonly<Record<string, string>>;
  /** What the engine says of each, to be the same ever after. */
  inspect(): Promise<Readonly<Record<string, unknown>>>;
  remove(): Promise<void>;
};

/** Places them beside the workers of a stage that has at least one. */
export async function addBystanders(stage: Stage): Promise<Bystanders> {
  const [model] = await stage.workers();
  if (model === undefined) throw new Error("bystanders copy the labels of a worker: apply first");
  const copy = await commit(model.id, `wgctl-copied-${stage.run}:1`);
  const theirs = { ...model.labels, "dev.wgctl.project": "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2aff" };
  const strange = { ...theirs, "dev.wgctl.uid": "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2afe" };
  const name = `${stage.group}-9-0badcafe`;
  const containers = {
    unlabelled: { name: `${stage.run}-plain`, image: TEST_IMAGE, labels: {} },
    "named like a worker": { name: `${stage.group}-7-0badcafe`, image: TEST_IMAGE, labels: {} },
    "from a committed worker": { name: `${stage.run}-copied`, image: copy, labels: {} },
    "with pasted labels": { name: `${stage.run}-pasted`, image: TEST_IMAGE, labels: model.labels },
    "another project's": {
      ...{ name, image: TEST_IMAGE },
      labels: { ...strange, "dev.wgctl.name": name },
    },
  };
  const ids: Record<string, string> = {};
  for (const [what, { name: called, image, labels }] of Object.entries(containers))
    ids[what] = await place(stage, called, image, labels);
  return {
    ids,
    inspect: () => inspectAll(ids),
    async remove() {
      for (const id of Object.values(ids))
        await callApi(testHost(), "DELETE", `/containers/${id}?force=1&v=1`);
      await callApi(testHost(), "DELETE", `/images/${copy}?force=1`);
    },
  };
}

function place(
  stage: Stage,
  name: string,
  image: string,
  labels: Readonly<Record<string, string>>,
): Promise<string> {
  return runContainer(name, {
    Image: image,
    Cmd: ["worker"],
    Labels: { ...labels, [RUN_LABEL]: `${stage.run}-bystander` },
  });
}

/** An image that holds the labels of a container, as `docker commit` makes it. */
async function commit(id: string, reference: string): Promise<string> {
  const [repo = "", tag = ""] = reference.split(":");
  await callJson(testHost(), "POST", `/commit?container=${id}&repo=${repo}&tag=${tag}&pause=0`, {
    body: {},
  });
  return reference;
}

async function inspectAll(ids: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [what, id] of Object.entries(ids))
    found[what] = await callJson(testHost(), "GET", `/containers/${id}/json`);
  return found;
}
