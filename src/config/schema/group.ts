// The schema of a WorkerGroup document: its envelope and its spec.

import * as z from "zod/mini";
import { readDnsLabel, readTimestamp, readUid } from "../forms/names.ts";
import { judgeFiles } from "./file-rules.ts";
import {
  judgeDeadlines,
  judgeDeviceIds,
  judgeHostname,
  judgePorts,
  judgeQuiet,
  judgeRestart,
  judgeRollout,
} from "./group-rules.ts";
import { choice, fields, leaf, maybe, rule } from "./parts.ts";
import { type SpecDraft, specFields } from "./spec-fields.ts";

export const apiVersion = "wgctl.dev/v1";

const freeTexts = maybe(z.record(z.string(), z.string()));

const identityFields = {
  name: leaf((text) => readDnsLabel(text, 40)),
  namespace: maybe(leaf((text) => readDnsLabel(text, 63))),
  uid: leaf(readUid),
  deletionTimestamp: maybe(leaf(readTimestamp)),
};

/** What must be readable whatever else is wrong; reads `metadata` and ignores its other fields. */
export const identity = z.object(identityFields);

const metadata = fields({ ...identityFields, labels: freeTexts, annotations: freeTexts });

const spec = specFields.check(
  rule<SpecDraft>((draft, complain) => {
    judgeRollout(draft, complain);
    judgePorts(draft, complain);
    judgeDeviceIds(draft, complain);
    judgeHostname(draft, complain);
    judgeRestart(draft, complain);
    judgeDeadlines(draft, complain);
    judgeQuiet(draft, complain);
    judgeFiles(draft, complain);
  }),
);

/** A whole WorkerGroup document. */
export const workerGroup = fields(
  { apiVersion: choice([apiVersion]), kind: choice(["WorkerGroup"]), metadata, spec },
  { free: true },
);
