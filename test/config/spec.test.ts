// The envelope: defaults, amounts, and what crosses fields without being wrong.

import { expect, test } from "vitest";
import { loadText, manifest, specOf } from "./manifests.ts";

test("defaults are those that section 2 shows", async () => {
  expect(await specOf(manifest(""))).toEqual({
    replicas: 1,
    template: { image: "busybox:1.36" },
    pullPolicy: "missing",
    rollout: {
      strategy: "RollingUpdate",
      maxUnavailable: { kind: "count", count: 1 },
      maxSurge: { kind: "count", count: 0 },
      minReadySeconds: 5,
      healthyDeadlineSeconds: 300,
      progressDeadlineSeconds: 600,
      onFailure: "Pause",
      paused: false,
    },
    onUnhealthy: "Replace",
    restartNonce: "",
    suspend: false,
  });
});

test("everything of the envelope can be set", async () => {
  const spec = [
    "replicas: 0",
    "rollout:",
    "  strategy: RollingUpdate",
    "  maxUnavailable: 0",
    "  maxSurge: 25%",
    "  minReadySeconds: 0",
    "  healthyDeadlineSeconds: 60",
    "  progressDeadlineSeconds: 900",
    "  onFailure: Rollback",
    "  paused: true",
    "drain:",
    "  quiet: {signal: TSTP}",
    "  waitFor: {exec: [bin/idle, --now], timeoutSeconds: 60}",
    "  idle: {exec: bin/idle --all}",
    "onExit: {success: Leave, failure: Restart}",
    "onUnhealthy: Report",
    "restartNonce: 7",
    "suspend: true",
  ].join("\n");
  expect(await specOf(manifest("", { spec }))).toMatchObject({
    replicas: 0,
    rollout: {
      maxUnavailable: { kind: "count", count: 0 },
      maxSurge: { kind: "percent", percent: 25 },
      minReadySeconds: 0,
      healthyDeadlineSeconds: 60,
      progressDeadlineSeconds: 900,
      onFailure: "Rollback",
      paused: true,
    },
    drain: {
      quiet: { kind: "signal", signal: "SIGTSTP" },
      waitFor: { exec: ["bin/idle", "--now"], timeoutSeconds: 60 },
      idle: { exec: ["bin/idle", "--all"] },
    },
    onExit: { success: "Leave", failure: "Restart" },
    onUnhealthy: "Report",
    restartNonce: "7",
    suspend: true,
  });
});

test.each<[string, object]>([
  ["drain: {}", {}],
  ["drain: {quiet: null}", {}],
  ["drain: {quiet: {signal: 20}}", { drain: { quiet: { kind: "signal", signal: "SIGTSTP" } } }],
  [
    "drain: {quiet: {exec: bin/quiet --now}}",
    { drain: { quiet: { kind: "exec", exec: ["bin/quiet", "--now"] } } },
  ],
  [
    "drain: {waitFor: {exec: [bin/idle]}}",
    { drain: { waitFor: { exec: ["bin/idle"], timeoutSeconds: 900 } } },
  ],
  ["onExit: {}", {}],
  ["onExit: {success: Leave, failure: null}", { onExit: { success: "Leave" } }],
  ["onExit: {failure: Recreate}", { onExit: { failure: "Recreate" } }],
])("%s keeps what was set, and no more", async (spec, kept) => {
  const { drain, onExit } = await specOf(manifest("", { spec: `replicas: 1\n${spec}` }));
  expect({ ...(drain && { drain }), ...(onExit && { onExit }) }).toEqual(kept);
});

test("a deletion timestamp and a namespace are kept, an upper-case uid is not", async () => {
  const uid = "01998F6E-5C1B-7D2A-9A53-0C9F6F1F2A11";
  const metadata = "namespace: prod\ndeletionTimestamp: 2026-11-29T12:00:00Z\nlabels: {a: 1}";
  const { groups } = await loadText(manifest("", { uid, metadata }));
  expect(groups).toMatchObject([
    {
      kind: "valid",
      identity: { uid: uid.toLowerCase(), namespace: "prod", name: "mailer" },
      deletionTimestamp: "2026-11-29T12:00:00Z",
      place: { file: "<stdin>", line: 4, column: 9 },
    },
  ]);
});

test("an invalid group keeps its identity and deletion timestamp", async () => {
  const metadata = "deletionTimestamp: 2026-11-29T12:00:00Z";
  const { groups, complete } = await loadText(manifest("imge: x", { metadata }));
  expect(complete).toBe(true);
  expect(groups).toMatchObject([
    { kind: "invalid", identity: { name: "mailer" }, deletionTimestamp: "2026-11-29T12:00:00Z" },
  ]);
});

test("a duplicate key in the metadata makes the identity unreadable, one in the spec does not", async () => {
  expect((await loadText(manifest("", { metadata: "name: other" }))).complete).toBe(false);
  expect((await loadText(manifest("", { spec: "replicas: 1\nreplicas: 2" }))).complete).toBe(true);
});

test.each([
  ["one worker may have a fixed host port", "ports: ['8080:80']", "replicas: 1"],
  ["many may, when the port carries the slot", "ports: ['80{{.Task.Slot}}:80']", "replicas: 9"],
  [
    "surge goes with ports that the engine picks",
    "ports: [80]",
    "replicas: 3\nrollout: {maxSurge: 1}",
  ],
  ["restart: always goes without onExit", "restart: always", "replicas: 1"],
  [
    "restart: on-failure goes with onExit",
    "restart: on-failure",
    "replicas: 1\nonExit: {success: Recreate}",
  ],
  [
    "Recreate needs no numbers",
    "",
    "replicas: 1\nrollout: {strategy: Recreate, maxUnavailable: 0}",
  ],
])("%s", async (_, template, spec) => {
  expect((await loadText(manifest(template, { spec }))).problems).toEqual([]);
});
