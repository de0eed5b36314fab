// The schemas of limits, of deploy, which holds some of them too, and of logging.

import * as z from "zod/mini";
import {
  readCpus,
  readInteger,
  readMemory,
  readMemorySwap,
  readPids,
  readSize,
} from "../forms/numbers.ts";
import { reservedDevices } from "./devices.ts";
import { fields, leaf, maybe, text } from "./parts.ts";
import { deployStrangers, limitStrangers, reservationStrangers } from "./strangers.ts";

const amounts = { cpus: maybe(leaf(readCpus, "number")), memory: maybe(leaf(readMemory)) };

const resources = fields({
  limits: maybe(fields({ ...amounts, pids: maybe(leaf(readPids, "integer")) }, limitStrangers)),
  reservations: maybe(
    fields({ ...amounts, devices: maybe(reservedDevices) }, reservationStrangers),
  ),
});

/** Limits that stand beside the other fields. */
export const limitFields = {
  cpus: maybe(leaf(readCpus, "number")),
  mem_limit: maybe(leaf(readMemory)),
  mem_reservation: maybe(leaf(readMemory)),
  memswap_limit: maybe(leaf(readMemorySwap)),
  mem_swappiness: maybe(leaf((text) => readInteger(text, 0, 100), "integer")),
  shm_size: maybe(leaf(readSize)),
  pids_limit: maybe(leaf(readPids, "integer")),
};

export const deploy = fields({ resources: maybe(resources) }, deployStrangers);

export const logging = fields({
  driver: maybe(text(1)),
  options: maybe(z.record(z.string(), z.string())),
});
