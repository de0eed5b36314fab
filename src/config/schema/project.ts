// The schema of wgctl.yaml.

import * as z from "zod/mini";
import { readDnsLabel, readUid } from "../forms/names.ts";
import { readBoolean, readInteger } from "../forms/numbers.ts";
import { bad, good } from "../forms/reading.ts";
import { apiVersion } from "./group.ts";
import { choice, fields, leaf, maybe, text } from "./parts.ts";

const laterEngines = {
  swarm: "write docker",
  podman: "write docker, and let the context lead to Podman's socket",
};

const engine = fields({
  type: maybe(choice(["docker"], laterEngines)),
  context: maybe(text(1)),
});

const variableName = leaf((name) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? good(name) : bad("is not the name of a variable"),
);

const spec = fields({
  manifests: maybe(z.array(text(1))),
  engine: maybe(engine),
  budget: maybe(
    fields({ actionsPerPass: maybe(leaf((count) => readInteger(count, 1, 10_000), "integer")) }),
  ),
  env: maybe(z.array(variableName)),
  prune: maybe(leaf(readBoolean, "boolean")),
});

/** A whole Project document. */
export const project = fields({
  apiVersion: choice([apiVersion]),
  kind: choice(["Project"]),
  metadata: fields({ name: leaf((name) => readDnsLabel(name, 63)), uid: leaf(readUid) }),
  spec: maybe(spec),
});

export type ProjectDraft = z.output<typeof project>;
