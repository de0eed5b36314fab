// The fields of a spec, each by itself; the rules across them stand in group-rules.ts.

import * as z from "zod/mini";
import { readAmount, readBoolean, readInteger } from "../forms/numbers.ts";
import { containerIds } from "./adopt.ts";
import { drain } from "./drain.ts";
import { declaredConfigs, declaredSecrets } from "./file-mounts.ts";
import { choice, fields, leaf, maybe } from "./parts.ts";
import { template } from "./template-rules.ts";

const flag = leaf(readBoolean, "boolean");
const seconds = (least: number) =>
  maybe(leaf((text) => readInteger(text, least, 31_536_000), "integer"));

const rollout = fields({
  strategy: maybe(choice(["RollingUpdate", "Recreate"])),
  maxUnavailable: maybe(leaf(readAmount)),
  maxSurge: maybe(leaf(readAmount)),
  minReadySeconds: seconds(0),
  healthyDeadlineSeconds: seconds(1),
  progressDeadlineSeconds: seconds(1),
  onFailure: maybe(choice(["Pause", "Rollback"])),
  paused: maybe(flag),
});

const exitAction = maybe(choice(["Recreate", "Restart", "Leave"]));

export const specFields = fields(
  {
    replicas: leaf((text) => readInteger(text, 0, 10_000), "integer"),
    template,
    secrets: maybe(declaredSecrets),
    configs: maybe(declaredConfigs),
    rollout: maybe(rollout),
    drain: maybe(drain),
    onExit: maybe(fields({ success: exitAction, failure: exitAction })),
    onUnhealthy: maybe(choice(["Replace", "Report"])),
    restartNonce: maybe(z.string()),
    suspend: maybe(flag),
    adopt: maybe(containerIds),
  },
  { free: true },
);

/** A spec as written, every field in one form, without defaults. */
export type SpecDraft = z.output<typeof specFields>;
