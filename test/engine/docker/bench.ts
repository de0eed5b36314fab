// One run's workers on the engine under test: made and watched through the adapter, removed by label.

import { callJson } from "../../../scripts/lib/docker-api.mjs";
import type { RunFacts } from "../../../src/core/observed.ts";
import type { Template } from "../../../src/core/template.ts";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import { resolveEngine } from "../../../src/engine/docker/resolve.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { newRunId, RUN_LABEL, testHost } from "../../support/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";
import { waitFor } from "../../support/wait.ts";

export const never = new AbortController().signal;

export type Bench = {
  readonly run: string;
  readonly engine: Engine;
  create(template?: Partial<Template>): Promise<string>;
  /** Creates and starts. */
  start(template?: Partial<Template>): Promise<string>;
  /** Waits for a container to be in a state, and answers with it. */
  until<K extends RunFacts["kind"]>(id: string, kind: K): Promise<Extract<RunFacts, { kind: K }>>;
};

/** Opens the engine under test for one file; the caller cleans up after `run` and closes the engine. */
export async function openBench(): Promise<Bench> {
  const run = newRunId();
  const target = await resolveEngine({ host: testHost() }, {});
  const engine = openDockerEngine(target, { environment: process.env });
  let numbers = 0;
  const labelsOf = (name: string) => ({
    "dev.wgctl.uid": run,
    "dev.wgctl.name": name,
    [RUN_LABEL]: run,
  });
  const create = (template: Partial<Template> = {}) => {
    const name = `${run}-${++numbers}`;
    const request = {
      name,
      labels: labelsOf(name),
      template: { image: TEST_IMAGE, ...template },
    };
    return engine.createWorker(request, never);
  };
  const start = async (template: Partial<Template> = {}) => {
    const id = await create(template);
    await engine.startWorker(id, never);
    return id;
  };
  const until: Bench["until"] = (id, kind) => {
    type Wanted = Extract<RunFacts, { kind: typeof kind }>;
    const isKind = (facts: RunFacts): facts is Wanted => facts.kind === kind;
    return waitFor(`${kind} of ${id}`, async () => {
      const found = await engine.inspectWorker(id, never);
      if (found === undefined) throw new Error(`${id} is gone`);
      return isKind(found.facts.run) ? found.facts.run : undefined;
    });
  };
  return { run, engine, create, start, until };
}

/** Everything the engine says of a container, past the adapter. */
export function inspectWire(id: string) {
  return callJson(testHost(), "GET", `/containers/${id}/json`);
}
