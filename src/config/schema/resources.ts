// The schemas of deploy and logging.

import * as z from "zod/mini";
import { readCpus, readMemory, readPids } from "../forms/numbers.ts";
import { fields, leaf, maybe, text } from "./parts.ts";
import { deployStrangers, limitStrangers, reservationStrangers } from "./strangers.ts";

const amounts = { cpus: maybe(leaf(readCpus, "number")), memory: maybe(leaf(readMemory)) };

const resources = fields({
  limits: maybe(fields({ ...amounts, pids: maybe(leaf(readPids, "integer")) }, limitStrangers)),
  reservations: maybe(fields(amounts, reservationStrangers)),
});

export const deploy = fields({ resources: maybe(resources) }, deployStrangers);

export const logging = fields({
  driver: maybe(text(1)),
  options: maybe(z.record(z.string(), z.string())),
});
