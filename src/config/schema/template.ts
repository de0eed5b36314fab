// The fields of spec.template: the part of a Compose service that workers take.

import * as z from "zod/mini";
import {
  readHostname,
  readImage,
  readRestart,
  readSignal,
  readUser,
  readWorkingDir,
} from "../forms/names.ts";
import { readBoolean, readGrace } from "../forms/numbers.ts";
import { readPullPolicy } from "../forms/pull-policy.ts";
import { readWords } from "../forms/words.ts";
import { devices, gpus } from "./devices.ts";
import { envFiles } from "./env-file.ts";
import { configUses, secretUses } from "./file-mounts.ts";
import { healthcheck } from "./health.ts";
import { environment, labels } from "./keyed.ts";
import { tmpfs, volumes } from "./mounts.ts";
import { networkMode, networks, ports } from "./network.ts";
import { fields, leaf, maybe, type Sound } from "./parts.ts";
import { processFields } from "./process-fields.ts";
import { resolvingFields } from "./resolving-fields.ts";
import { deploy, limitFields, logging } from "./resources.ts";
import { templateStrangers } from "./strangers.ts";

const words = z.union([leaf(readWords), z.array(z.string())]);

const templateFields = {
  image: leaf(readImage),
  pull_policy: maybe(leaf(readPullPolicy)),
  command: maybe(words),
  entrypoint: maybe(words),
  environment: maybe(environment),
  env_file: maybe(envFiles),
  labels: maybe(labels),
  volumes: maybe(volumes),
  networks: maybe(networks),
  network_mode: maybe(networkMode),
  ports: maybe(ports),
  restart: maybe(leaf(readRestart)),
  healthcheck: maybe(healthcheck),
  stop_signal: maybe(leaf(readSignal)),
  stop_grace_period: maybe(leaf(readGrace)),
  ...limitFields,
  deploy: maybe(deploy),
  working_dir: maybe(leaf(readWorkingDir)),
  user: maybe(leaf(readUser)),
  hostname: maybe(leaf(readHostname)),
  init: maybe(leaf(readBoolean, "boolean")),
  tmpfs: maybe(tmpfs),
  logging: maybe(logging),
  secrets: maybe(secretUses),
  configs: maybe(configUses),
  ...processFields,
  ...resolvingFields,
  devices: maybe(devices),
  gpus: maybe(gpus),
};

/** Every field by itself; the rules across them stand in template-rules.ts. */
export const plainTemplate = fields(templateFields, templateStrangers);

/** Every field of a template by name. */
export const templateFieldNames: readonly string[] = Object.keys(templateFields);

/** A template as written, every field in one form; the two ways to set a limit not yet made one. */
export type TemplateDraft = z.output<typeof plainTemplate>;
export type SoundTemplate = Sound<TemplateDraft>;
