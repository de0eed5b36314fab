// The decisions that `mutate.mjs` breaks: a name in words, the exact text, and what stands in its place.

/** @typedef {{ name: string, file: string, from: string, to: string, tests: readonly string[] }} Mutation */

/** @param {readonly string[]} steps */
const planTests = (...steps) => steps.map((step) => `test/core/plan/${step}.test.ts`);
/** @param {readonly string[]} names */
const appTests = (...names) => names.map((name) => `test/app/${name}.test.ts`);

/**
 * @param {string} file   below src/core/
 * @param {readonly string[]} tests
 * @param {readonly (readonly [string, string, string])[]} rows   name, text, what replaces it
 * @returns {readonly Mutation[]}
 */
function of(file, tests, rows) {
  return rows.map(([name, from, to]) => ({ name, file: `src/${file}`, from, to, tests }));
}

/** @type {readonly Mutation[]} */
export const MUTATIONS = [
  ...of(
    "core/limits.ts",
    ["test/core/limits.test.ts"],
    [
      [
        "surge is rounded down",
        "rollout.maxSurge, replicas, Math.ceil",
        "rollout.maxSurge, replicas, Math.floor",
      ],
      [
        "unavailable is rounded up",
        "rollout.maxUnavailable, replicas, Math.floor",
        "rollout.maxUnavailable, replicas, Math.ceil",
      ],
      ["both limits zero stop every rollout", "maxSurge === 0 && asked === 0 ? 1 : asked", "asked"],
      [
        "Recreate keeps workers available",
        "maxUnavailable: replicas, maxSurge: 0, minAvailable: 0",
        "maxUnavailable: 1, maxSurge: 0, minAvailable: replicas - 1",
      ],
    ],
  ),
  ...of(
    "core/backoff.ts",
    ["test/core/backoff.test.ts", ...planTests("heal")],
    [
      ["back-off does not grow", "FIRST_WAIT_MS * 2 ** (failures - 1)", "FIRST_WAIT_MS"],
      [
        "back-off has no upper end",
        "Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS)",
        "FIRST_WAIT_MS * 2 ** (failures - 1)",
      ],
      ["a long life forgives nothing", "if (lastedLong(worker.facts)) return 1;\n", ""],
      [
        "a failure after the remembered one is not counted",
        "isCounted(worker, remembered) ? attempts : attempts + 1",
        "attempts",
      ],
      [
        "what a manifest calls a success is a failure",
        "!(succeeded(run) && onExit?.success !== undefined)",
        "true",
      ],
    ],
  ),
  ...of(
    "core/ready.ts",
    ["test/core/ready.test.ts"],
    [
      ["one failed probe breaks readiness", "failures >= retries", "failures >= 1"],
      ["probes of the process before count", "probe.startedAt >= startedAt", "probe.startedAt > 0"],
      [
        "a full health log is taken for the whole",
        "health.log.length < FULL_HEALTH_LOG",
        "health.log.length <= FULL_HEALTH_LOG",
      ],
      [
        "what was remembered of readiness is ignored",
        "return remembered ?? healthySince",
        "return healthySince",
      ],
    ],
  ),
  ...of("core/assess.ts", planTests("plan-group", "refuse", "heal", "roll", "leave", "keep"), [
    ["copied labels make a container ours", 'own.kind === "copied"', "false"],
    [
      "a record speaks of any process",
      "const isSame = startedAt !== undefined && fromRecord(record?.startedAt) === startedAt;",
      "const isSame = startedAt !== undefined;",
    ],
    [
      "minReadySeconds is not waited for",
      "minReadySeconds === 0 || now - since >= minReadySeconds * 1000",
      "true",
    ],
    ["a paused worker is seen as stopping", 'if (run.kind === "paused") return "Paused";\n', ""],
    [
      "a restarted worker counts as ready",
      "if (restarts > 0) return",
      "if (restarts > 1000) return",
    ],
  ]),
  ...of("core/revision.ts", planTests("roll"), [
    ["a moved image is not seen", "imageId === undefined || facts.imageId === imageId", "true"],
    ["restartNonce rolls nothing", "labels.nonce !== nonce", "false"],
    ["a missing network is not seen", "missing.length > 0", "false"],
  ]),
  ...of("core/plan/rank.ts", planTests("rank"), [
    [
      "the better worker goes first",
      "RANK[one.state] - RANK[other.state]",
      "RANK[other.state] - RANK[one.state]",
    ],
    [
      "the desired revision goes before the old",
      "Number(isCurrent(one)) - Number(isCurrent(other))",
      "Number(isCurrent(other)) - Number(isCurrent(one))",
    ],
    [
      "the lowest slot goes first",
      "other.labels.slot - one.labels.slot ||\n    compare(one.facts.id",
      "one.labels.slot - other.labels.slot ||\n    compare(one.facts.id",
    ],
  ]),
  ...of("core/plan/scale-down.ts", planTests("scale-down"), [
    [
      "slots above the count stay",
      "each.labels.slot > replicas",
      "each.labels.slot > replicas + 1000",
    ],
    [
      "what is above the surge stays",
      "present <= replicas + maxSurge",
      "present <= replicas + maxSurge + 1000",
    ],
    ["surge is not allowed to exist", "present <= replicas + maxSurge", "present <= replicas"],
    [
      "what is above the surge goes though it is needed",
      'if (draft.canSpare(worker)) retire(draft, worker, because("over-surge", detail));',
      'retire(draft, worker, because("over-surge", detail));',
    ],
  ]),
  ...of("core/plan/finish.ts", planTests("finish"), [
    [
      "what is on its way out is forgotten",
      "if (worker.phase !== undefined) finish(draft, worker);",
      "if (worker.phase === null) finish(draft, worker);",
    ],
    [
      "remains of the engine stay",
      'else if (worker.state === "Dead") {',
      "else if (worker.state === null) {",
    ],
    [
      "a group that leaves takes more while one is not known of",
      "if (unknown === undefined || isBegun) leave",
      "if (unknown !== null || isBegun) leave",
    ],
  ]),
  ...of("core/plan/finish.ts", planTests("keep", "outlook", "fail"), [
    ["one that was brought back is stopped", "isWantedBack(draft, worker)", "false"],
    [
      "one that is to stop is taken for coming back",
      "worker.signalled || worker.facts.run.kind",
      "worker.facts.run.kind",
    ],
    [
      "with surge one that returns is stopped beside who it takes the place of",
      "scene.limits.maxSurge > 0 && isReplaced(other)",
      "scene.limits.maxSurge < 0 && isReplaced(other)",
    ],
    [
      "what failed another revision stays for ever",
      "return !isCurrent(worker) || outlook.isComplete",
      "return outlook.isComplete",
    ],
    [
      "what was set aside stays though nothing is wanted",
      "if (scene.limits.replicas === 0) return true;\n",
      "",
    ],
  ]),
  ...of("core/plan/outlook.ts", planTests("outlook", "fail", "scale-down"), [
    [
      "a revision fails whose image is not there",
      "scene.revision !== undefined && recorded !== scene.revision",
      "recorded !== scene.revision",
    ],
    [
      "a revision that had been complete fails",
      "scene.revision !== undefined && recorded !== scene.revision",
      "scene.revision !== undefined",
    ],
    [
      "the first revision fails, with nothing before it",
      "(hasFailedWorker || hasPredecessors(scene, stable))",
      "true",
    ],
    [
      "one that stands aside blocks nothing",
      "(hasFailedWorker && !isComplete) || failing.length > 0",
      "failing.length > 0",
    ],
    [
      "a revision that serves after all stays blocked",
      "(hasFailedWorker && !isComplete) || failing.length > 0",
      "hasFailedWorker || failing.length > 0",
    ],
    [
      "a revision that the engine makes no worker of does not fail",
      " || refused !== undefined",
      "",
    ],
    [
      "another try forgives no refusal",
      "retryBefore === undefined ? memory?.refused : undefined",
      "memory?.refused",
    ],
    [
      "another try forgives nothing that stands aside",
      "retryBefore === undefined || phase.since >= retryBefore",
      "true",
    ],
    [
      "another try forgives nothing else",
      "(scene.retryBefore === undefined || at >= scene.retryBefore)",
      "true",
    ],
    [
      "one that served fails its revision",
      "isLeaving || worker.isProven) return false",
      "isLeaving) return false",
    ],
    [
      "one above the count fails its revision",
      "if (worker.labels.slot > scene.limits.replicas) return false;\n",
      "",
    ],
    [
      "a taken port fails a revision",
      'run.kind === "created" && CANNOT_RUN.includes(run.exitCode)',
      'run.kind === "created"',
    ],
    [
      "a kill from outside fails a revision",
      "return isKilled(worker) || !isFailure",
      "return !isFailure",
    ],
    [
      "a worker out of memory fails nothing",
      'run.kind !== "exited" || run.oomKilled || restartCount > 0',
      'run.kind !== "exited" || restartCount > 0',
    ],
    [
      "restarts before another try count after it",
      'run.kind === "running" ? worker.facts.createdAt : failedAt(worker)',
      "failedAt(worker)",
    ],
    [
      "Recreate does not go back",
      'rollout?.onFailure === "Rollback" || rollout?.strategy === "Recreate"',
      'rollout?.onFailure === "Rollback"',
    ],
  ]),
  ...of("core/plan/fail.ts", planTests("fail"), [
    ["all that fail are set aside", "index === 0 && !hasFailedWorker", "true"],
    ["none that fails is set aside", "index === 0 && !hasFailedWorker", "false"],
    [
      "nobody says when a starting one will have failed",
      "  noteThoseWithTimeLeft(draft);\n}\n\n/** A worker that is not",
      "}\n\n/** A worker that is not",
    ],
    [
      "what never was complete is started again",
      "good === undefined ? worker.isProven : worker.labels.revision === good",
      "true",
    ],
    [
      "starting again knows no back-off",
      "if (draft.scene.now < at) draft.due(at);\n  else start",
      "start",
    ],
    [
      "an old one is started beside who runs in its slot",
      "|| mustWaitForSlot(draft, worker)) return;",
      ") return;",
    ],
    [
      "a rollback takes what is needed",
      "if (draft.canSpare(worker)) {\n      leave",
      "{\n      leave",
    ],
    [
      "a rollback empties a slot with nothing to go back to",
      "if (!hasPredecessor(draft, worker)) continue;\n",
      "",
    ],
    [
      "broken ones between stand in the way of what is kept",
      "if (isUnwanted || isBroken(draft, worker)) {",
      "if (isUnwanted) {",
    ],
  ]),
  ...of("core/plan/keep.ts", planTests("keep", "fail"), [
    [
      "nothing is kept",
      'return wasGood(draft, worker) && !hasBetter(draft, worker) ? "kept" : "remove";',
      'return "remove";',
    ],
    [
      "what failed by itself is kept",
      "return wasGood(draft, worker) && !hasBetter",
      "return !hasBetter",
    ],
    [
      "a slot keeps two",
      "wasGood(draft, worker) && !hasBetter(draft, worker)",
      "wasGood(draft, worker)",
    ],
    [
      "what is above the count is kept",
      "if (outlook.isComplete || isOut ||",
      "if (outlook.isComplete ||",
    ],
    [
      "the record of the last complete revision is ignored",
      "outlook.isRecorded && !isAdopted(worker)",
      "false",
    ],
    [
      "what is kept stays once all is complete",
      "if (outlook.isComplete) return because",
      "if (outlook === null) return because",
    ],
    [
      "what is kept above the count stays",
      "if (slot > replicas) return because",
      "if (slot < 0) return because",
    ],
    [
      "a blocked revision gets its own back",
      "if (isCurrent(worker)) return false;\n    if (stable",
      "if (stable",
    ],
  ]),
  ...of("core/plan/side-by-side.ts", planTests("fill", "fail", "adjust", "keep"), [
    [
      "Recreate does not wait for the old ones",
      "if (!isRecreated(draft)) return false;",
      "if (draft !== null) return false;",
    ],
    [
      "an open create of an old revision does not hold Recreate",
      "uncertain.some((create) => create.revision !== revision)",
      "uncertain.length > 1000",
    ],
    [
      "two run in a slot without surge",
      "if (draft.scene.limits.maxSurge > 0) return false;",
      "if (draft !== null) return false;",
    ],
  ]),
  ...of("core/plan/drain.ts", planTests("drain", "leave"), [
    [
      "a drain does not wait until it was told",
      "if (quiet !== undefined && !worker.signalled) return false;\n",
      "",
    ],
    [
      "what a worker answers is ignored",
      "waitFor === undefined || worker.isDrained",
      "waitFor === undefined",
    ],
    ["a drain has no end", "return now >= since + waitFor.timeoutSeconds * 1000;", "return false;"],
    [
      "a pruned worker is not drained",
      "scene.spec === undefined ? readDrainLabel(worker.labels.drain) : scene.spec.drain",
      "scene.spec?.drain",
    ],
    ["a longer grace of the new spec is ignored", "spec?.template.stop_grace_period ?? 0", "0"],
    [
      "the container's own grace is ignored",
      "facts.stopTimeout ?? DEFAULT_GRACE_SECONDS",
      "DEFAULT_GRACE_SECONDS",
    ],
  ]),
  ...of("core/plan/deadline.ts", planTests("roll", "heal", "fail"), [
    [
      "the deadline of a worker is not told",
      "if (draft.scene.now < deadline) draft.due(deadline);\n",
      "",
    ],
  ]),
  ...of("core/plan/adjust.ts", planTests("adjust", "heal"), [
    [
      "limits are not set",
      "worker.limitsToSet !== undefined && isCurrent(worker)",
      "worker.limitsToSet === null",
    ],
    ["another restart policy is not set", "if (live !== declared) arm", "if (live === null) arm"],
    [
      "one that is about to go is armed again",
      "live === UNARMED && isToStay(draft, worker)",
      "live === UNARMED",
    ],
  ]),
  ...of(
    "core/plan/standing.ts",
    [...planTests("standing", "plan-group")],
    [
      [
        "failures are forgotten with their containers",
        "const bySlot = new Map([...remembered, ...seen]",
        "const bySlot = new Map([...seen]",
      ],
      [
        "a drain counts as standing still",
        "!isDraining && now >= progressDeadline",
        "now >= progressDeadline",
      ],
      [
        "a group that is held is overdue",
        "revision === undefined || blocks.length > 0",
        "revision === undefined",
      ],
      ["once is a loop", "const LOOP_FROM = 2;", "const LOOP_FROM = 1;"],
      [
        "who serves is taken for looping",
        "attempts >= LOOP_FROM && !serves(slot)",
        "attempts >= LOOP_FROM",
      ],
    ],
  ),
  ...of("core/plan/leave.ts", planTests("leave", "drain", "fill", "refuse", "outlook"), [
    [
      "a name that waited for its signal is written anew again and again",
      "isNamed ? disarm : pushRename",
      "!isNamed && isNamed ? disarm : pushRename",
    ],
    [
      "one that is forgiven looks as if it had failed only now",
      "asked !== undefined && !isForgiven",
      "asked !== undefined",
    ],
    [
      "grace ends within the second it began in",
      "const at = end + NAME_LATE_MS;",
      "const at = end;",
    ],
    [
      "a paused worker is stopped",
      "switch (worker.facts.run.kind) {\n    case",
      'const kind = worker.facts.run.kind;\n  switch (kind === "paused" ? "running" : kind) {\n    case',
    ],
    [
      "a worker is not disarmed before it is stopped",
      'if (worker.facts.restartPolicy === "no") return [];',
      "if (worker.facts.restartPolicy !== null) return [];",
    ],
    [
      "grace is not waited for",
      "if (draft.scene.now < at) draft.due(at);\n  else draft.push(draft.urgent",
      "draft.push(draft.urgent",
    ],
    [
      "who does not stop is never killed",
      'else draft.push(draft.urgent, worker, why, { kind: "kill", target: target(worker) });',
      "",
    ],
    [
      "the container's own stop signal is ignored",
      "worker.facts.stopSignal ?? DEFAULT_STOP_SIGNAL",
      "DEFAULT_STOP_SIGNAL",
    ],
    ["a worker is asked without a pause", "asked.at + PROBE_EVERY_MS : now", "now : now"],
    [
      "one that failed is drained before it is set aside",
      'destination === "failed" ? undefined : drainOf(draft.scene, worker)',
      "drainOf(draft.scene, worker)",
    ],
  ]),
  ...of("core/plan/roll.ts", planTests("roll"), [
    [
      "old workers are never retired",
      "for (const worker of [...candidates].sort(order)) {",
      "for (const worker of []) {",
    ],
    ["availability does not bound a rollout", "if (!draft.canSpare(worker)) return;\n", ""],
    [
      "availability does not bound starting ones",
      "if (serving - 1 < draft.scene.limits.minAvailable) return;\n",
      "",
    ],
    [
      "a broken old worker holds up its replacement",
      "(worker) => isBroken(draft, worker)",
      "(worker) => worker === null",
    ],
    [
      "who has a successor does not go first",
      "Number(relieved.has(other.labels.slot)) - Number(relieved.has(one.labels.slot)) ||\n",
      "",
    ],
  ]),
  ...of("core/plan/heal.ts", planTests("heal", "adjust"), [
    [
      "the successor of a broken worker is taken for its duplicate",
      "  replaceBroken(draft);\n  dropDuplicates(draft);",
      "  dropDuplicates(draft);\n  replaceBroken(draft);",
    ],
    [
      "old workers are healed",
      "for (const worker of inRange(draft).filter(isCurrent)) {",
      "for (const worker of inRange(draft)) {",
    ],
    ["back-off is not told", "if (draft.scene.now < at) draft.due(at);\n", ""],
    [
      "the same container is never started again",
      'return action === "Restart" && !mustWaitForSlot(draft, worker);',
      "return false;",
    ],
    [
      "an unhealthy worker that is only to be reported is replaced",
      'return isReported ? undefined : "unhealthy";',
      'return "unhealthy";',
    ],
    ["a success waits like a failure", "if (isExit && !draft.hasFailed(worker)) return 0;\n", ""],
    [
      "those that leave do not count among the broken",
      "let room = atOnce - leaving.length;",
      "let room = atOnce;",
    ],
    [
      "duplicates stay",
      "if (better === undefined) best.set(key, worker);",
      "if (true) best.set(key, worker);",
    ],
    ["a duplicate that is needed goes", "else if (draft.canSpare(worker)) {", "else {"],
    ["an exited worker is not replaced", '    replaceWhenDue(draft, worker, "exited");\n', ""],
    [
      "a refused start is not tried again",
      'if (worker.state === "StartFailed") replaceWhenDue(draft, worker, "start-failed");\n',
      "",
    ],
    ["healing knows no back-off", "draft.scene.now >= at", "true"],
    ["an unhealthy worker stays", 'undefined : "unhealthy"', "undefined : undefined"],
    ["who is never ready stays", '? "not-ready" : undefined', "? undefined : undefined"],
    ["a bad probe takes all down at once", "if (room <= 0) return;\n", ""],
  ]),
  ...of("core/plan/fill.ts", planTests("fill"), [
    [
      "a name under removal is tried",
      "if (going.length === 0) return slots;",
      "if (going.length >= 0) return slots;",
    ],
    [
      "failures are not counted",
      "Math.max(remembered?.attempts ?? 0, ...counts)",
      "remembered?.attempts ?? 0",
    ],
    [
      "remembered failures are not counted",
      "Math.max(remembered?.attempts ?? 0, ...counts)",
      "Math.max(0, ...counts)",
    ],
    ["an open create does not fill its slot", "    ...uncertain.map(({ slot }) => slot),\n", ""],
    [
      "surge is not limited",
      "return draft.existing() >= replicas + maxSurge;",
      "return draft === null;",
    ],
    [
      "without surge a slot is filled beside its old worker",
      "if (draft.scene.limits.maxSurge === 0) return empty;\n",
      "",
    ],
    [
      "surge does not fill empty slots first",
      "return [...empty, ...lacking.filter((slot) => occupied.has(slot))];",
      "return lacking;",
    ],
    ["a created worker is never started", 'worker.state === "Created" && isWanted', "false"],
  ]),
  ...of("core/plan/fill.ts", planTests("fill", "keep", "fail"), [
    ["what is kept is not brought back", "if (kept !== undefined) {", "if (kept === null) {"],
    [
      "what ends as it is brought back is tried without a wait",
      "hasEndedOnReturn(kept) ?",
      "hasEndedOnReturn(kept) && kept === null ?",
    ],
    [
      "an old one comes back beside a new one without surge",
      "(occupied.has(slot) && draft.scene.limits.maxSurge === 0)",
      "(occupied.has(slot) && draft === null)",
    ],
    [
      "with surge a rollback takes the new one first",
      "outlook.isRollingBack && scene.limits.maxSurge > 0 && isCurrent(worker);\n  const isThere",
      "outlook === null && isCurrent(worker);\n  const isThere",
    ],
  ]),
  ...of("core/plan/arrive.ts", planTests("fill", "leave"), [
    [
      "a start does not wait for the last old one",
      "draft.push(draft.urgent, worker, why, call, removalsOfOthers(draft, fellowsOf(worker)));",
      "draft.push(draft.urgent, worker, why, call);",
    ],
    ["a create takes a name that is held", "if (!held.has(name)) return", "return"],
    [
      "Recreate makes before it has removed",
      'if (draft.scene.spec?.rollout.strategy !== "Recreate") return [];',
      "if (draft.scene !== null) return [];",
    ],
  ]),
  ...of("core/plan/draft.ts", planTests("leave", "fill", "refuse", "adjust"), [
    [
      "what has done its work serves nobody",
      'state === "Available" || state === "Completed"',
      'state === "Available"',
    ],
    [
      "who leaves still counts as staying",
      "worker.phase === undefined && !this.isGoing(worker) && exists(worker)",
      "worker.phase === undefined && exists(worker)",
    ],
    [
      "uncertain creates do not exist",
      "this.remaining().length + uncertain.length",
      "this.remaining().length",
    ],
  ]),
  ...of(
    "core/plan/refuse.ts",
    [...planTests("refuse", "fail"), "test/core/fence.test.ts"],
    [
      [
        "a start that failed keeps its predecessor stopped",
        "outlook.isBlocked && hold?.isOfNew === true",
        "false",
      ],
      [
        "a newer wgctl's workers are touched",
        "labels.templateVersion > TEMPLATE_VERSION",
        "labels.templateVersion > 1000",
      ],
      [
        "another project's workers are touched",
        "labels.project !== undefined && labels.project !== projectUid",
        "labels.project === null",
      ],
      ["a suspended group is touched", "spec?.suspend === true", "spec?.suspend === null"],
      ["an invalid manifest is acted on", 'desired?.kind === "invalid"', "desired === null"],
      [
        "an older checkout undoes a newer one",
        "commit !== undefined && newerCommits.includes(commit)",
        "commit === null",
      ],
      ["a taken name is tried", "isOurs(holder, name, scene) || isOfGroup(holder, scene)", "true"],
      [
        "a group of which the engine is silent is touched",
        "if (unknown.length === 0) return undefined;",
        "if (unknown.length >= 0) return undefined;",
      ],
      [
        "workers are retired for a network that is missing",
        "if (missing.length > 0) {",
        "if (missing.length > 1000) {",
      ],
      [
        "failures of this run do not hold a group",
        "if (hold !== undefined && !isDone) return",
        "if (hold !== undefined && isDone) return",
      ],
    ],
  ),
  ...of("core/plan/room-claims.ts", planTests("fill"), [
    [
      "where too many exist creates do not wait for all",
      "const excess = Math.max(0, before - limit);",
      "const excess = 0;",
    ],
    [
      "two creates wait for one removal",
      "else this.#claimed.add(claim.id);",
      "else this.#taken += 0;",
    ],
    [
      "in a full group a create waits for nobody else",
      "const claim = own ?? (isFull ? left[0] : undefined);",
      "const claim = own;",
    ],
    [
      "a create waits though there is room",
      "const isFull = before + this.#taken >= limit;",
      "const isFull = true;",
    ],
  ]),
  ...of("core/plan/scene.ts", planTests("scene", "plan-group"), [
    [
      "an open create is shown by who leaves under its name",
      "workers.map((worker) => worker.facts.name)",
      "workers.map((worker) => worker.labels.name)",
    ],
    ["creates stay open for ever", "(fromIso(until) ?? 0) > now", "until !== null"],
    ["a changed spec makes no new generation", ": memory.generation + 1;", ": memory.generation;"],
    ["the order of a listing matters", "workers: workers.sort(bySlotAndName)", "workers"],
  ]),
  ...of("core/plan/plan-group.ts", planTests("plan-group", "finish", "refuse", "roll", "waiting"), [
    [
      "a group that is being deleted is provisioned first",
      "if (scene.leaving !== undefined) {",
      "if (scene.leaving !== undefined && scene.spec === undefined) {",
    ],
    [
      "a paused rollout rolls",
      "if (!isPaused(draft)) roll(draft);",
      "isPaused(draft);\n  roll(draft);",
    ],
    [
      "an open create is as declared",
      "existing.length !== scene.limits.replicas || scene.uncertain.length > 0",
      "existing.length !== scene.limits.replicas",
    ],
    [
      "who is not available is as declared",
      '(worker.state === "Available" || worker.state === "Completed") &&\n      isCurrent',
      "isCurrent",
    ],
    [
      "an image is pulled although that is forbidden",
      'spec.pullPolicy === "never"',
      "spec.pullPolicy === null",
    ],
    [
      "nobody shrinks a group that may begin nothing",
      "  scaleDown(draft);\n  if (!isFree) return;",
      "  if (!isFree) return;\n  scaleDown(draft);",
    ],
    [
      "a group that is left alone waits for what nobody will do",
      "return conclude(draft, waitingForEngine(scene));",
      "return conclude(draft);",
    ],
    [
      "nobody says when who is ready will be available",
      "soonest(draft.dueAt, nextMilestone(scene))",
      "draft.dueAt",
    ],
  ]),
  ...of(
    "core/journal.ts",
    ["test/core/journal.test.ts"],
    [
      [
        "a signal to an earlier process counts",
        "&& startedAt <= (fromIso(time) ?? 0)",
        "&& startedAt !== null",
      ],
      [
        "a word to drain is taken for a stop signal",
        'isDraining === (action === "quiet") &&',
        "isDraining !== null &&",
      ],
    ],
  ),
  ...of("core/plan/pull-once.ts", planTests("plan"), [
    [
      "each group pulls the image again",
      "return first === group ? group : waitFor(first, group, pull);",
      "return first === null ? waitFor(first, group, pull) : group;",
    ],
  ]),
  ...of("core/plan/plan.ts", planTests("plan", "finish"), [
    ["another project's groups are pruned", "own.project !== projectUid", "own.project === null"],
    ["what this run leaves out is pruned", 'if (known.has(uidOf(labels) ?? "")) continue;', ""],
    ["what left the files goes unasked", "(request.prune ? orphans : [])", "orphans"],
  ]),
  ...of("core/plan/waiting.ts", planTests("waiting"), [
    [
      "an unhealthy worker of a held group is waited for",
      'dueAt === undefined ? 0 : count("Unhealthy")',
      'count("Unhealthy")',
    ],
  ]),
  ...of(
    "core/canonical.ts",
    ["test/core/canonical.test.ts"],
    [
      [
        "the order of keys makes another text",
        "Object.keys(value).sort()) {\n    const member",
        "Object.keys(value)) {\n    const member",
      ],
    ],
  ),
  ...of("core/plan/budget.ts", planTests("budget"), [
    [
      "a pass has no budget",
      "all.slice(0, budget), deferred: all.slice(budget)",
      "all, deferred: []",
    ],
    [
      "one group takes the whole budget",
      "lists.flatMap((list) => list.slice(round, round + 1))",
      "round > 0 ? [] : lists.flat()",
    ],
    [
      "pruning goes first",
      "const declared = groups.filter((group) => !isPruned(group));",
      "const declared = [...groups].reverse();",
    ],
  ]),
  ...of("app/slow-start.ts", appTests("slow-start"), [
    [
      "all creates begin at once",
      "this.#windows.get(group) ?? 1",
      "this.#windows.get(group) ?? 1000",
    ],
    ["a failed start does not halt its group", "this.#halted.add(group);", ""],
  ]),
  ...of("app/rest.ts", appTests("setbacks", "apply", "image-watch"), [
    [
      "a group never rests",
      "return { strikes, until: ticks + rest };",
      "return { strikes, until: ticks };",
    ],
    [
      "a plain no is asked again",
      "strikes >= GIVE_UP_AFTER || isHopeless",
      "strikes >= GIVE_UP_AFTER",
    ],
    ["a run never gives up", "strikes >= GIVE_UP_AFTER || isHopeless", "isHopeless"],
  ]),
  ...of("app/preconditions.ts", appTests("preconditions", "perform"), [
    [
      "another process is stopped than the one that was seen",
      "return startOf(facts) === target.startedAt ? GO : moved",
      "return startOf(facts) !== null ? GO : moved",
    ],
    [
      "a running worker is removed",
      'return [...ALIVE, "paused"].includes(facts.run.kind) ? itIs(facts) : GO;',
      "return GO;",
    ],
    [
      "any stopped worker is started",
      "? DONE : checkSame(target, facts, AT_REST);",
      "? DONE : GO;",
    ],
    [
      "who is gone was removed by nobody",
      'return action.kind === "remove" ? DONE : moved("it is gone");',
      'return moved("it is gone");',
    ],
  ]),
  ...of("app/perform.ts", appTests("perform", "apply-journal", "full-disk"), [
    [
      "a create without an answer is taken for failed",
      'if (!hasCode(error, "engine-conflict", ...UNKNOWN)) return creationFailure(error);\n    return resolveCreate(action, error, context, signal);',
      "return creationFailure(error);",
    ],
    [
      "a name that is on its way counts as free",
      'return error.code === "engine-failed"\n',
      "return error.code !== null\n",
    ],
    [
      "a stranger on our name is taken for ours",
      "if (!isOurs(found, worker.name, group)) {",
      "if (found === null) {",
    ],
    [
      "a call that is not written down is made",
      "if (!context.intend(action)) return UNSAID;\n  try {",
      "context.intend(action);\n  try {",
    ],
    [
      "a stop signal that is not written down is sent",
      "if (!context.intend(action)) return UNSAID;\n      await sendStop",
      "context.intend(action);\n      await sendStop",
    ],
    [
      "grace begins before a late signal",
      'if (found.facts.run.kind === "running") await renewPhase(found, STOPS, engine, signal);\n',
      "",
    ],
    [
      "facts are not checked before a call",
      "const verdict = check(action, found?.facts);",
      'const verdict = { kind: found === undefined ? "moved" : "go", because: "" };',
    ],
  ]),
  ...of("app/execute.ts", appTests("execute"), [
    [
      "an action does not wait for what it needs",
      'if (!action.needs.every((id) => this.#outcomes.get(id)?.kind === "done")) return false;\n',
      "",
    ],
    [
      "a failed action's dependants go on",
      'return outcome !== undefined && outcome.kind !== "done";',
      'return outcome !== undefined && outcome.kind === "skipped";',
    ],
    ["a stopping run begins more", 'if (this.#isStopping()) return "the run is stopping";\n', ""],
    ["starts in flight are not limited", "starts.length < startsAtOnce && own", "own"],
    [
      "stops in flight are not limited",
      "inFlight.filter((each) => !isStarting(each)).length < stopsAtOnce",
      "true",
    ],
    [
      "pruning does not wait for what is declared",
      "if (isPrune(action) && this.#isBusyWithDeclared()) return false;\n",
      "",
    ],
  ]),
  ...of("app/chronicle.ts", appTests("chronicle"), [
    [
      "an intent is settled by who leaves under its name",
      "facts.name === worker",
      "facts.name.startsWith(worker)",
    ],
  ]),
  ...of("core/plan/refresh.ts", planTests("refresh"), [
    [
      "a registry's word counts for groups that do not ask",
      "spec.replicas === 0 || !isKeptFresh(spec)",
      "spec.replicas === 0",
    ],
    [
      "a registry in trouble stops its groups",
      'draft.block({ code: "ImagePullFailed", message: word.message });\n      return false;',
      'draft.block({ code: "ImagePullFailed", message: word.message });\n      return true;',
    ],
    [
      "a registry in trouble is not mentioned",
      'draft.block({ code: "ImagePullFailed", message: word.message });',
      "",
    ],
  ]),
  ...of("core/plan/plan-group.ts", planTests("refresh"), [
    [
      "a group goes on while its newer image is pulled",
      "else if (isPulling) scaleDown(draft);\n  else serve",
      "else serve",
    ],
    [
      "an image that could not be pulled is pulled again at once",
      'word?.kind === "failed"',
      "word === null",
    ],
  ]),
  ...of("core/plan/admission.ts", planTests("admission"), [
    ["every worker is admitted", "if (this.#isRefused(this.#lackOfOne())) return undefined;", ""],
    [
      "a removal gives nothing back",
      "if (this.#lackOfOne() !== undefined) this.#takeBack(removals);",
      "",
    ],
    [
      "a create does not wait for the removal whose room it takes",
      "return [...this.#returned];",
      "return [];",
    ],
    [
      "who is retired for a successor is counted one by one",
      "if (lack === undefined) more = plus(more, growth);",
      "if (lack === undefined) more = NOTHING;",
    ],
    [
      "Recreate retires those that can be replaced",
      'scene.spec?.rollout.strategy !== "Recreate" || first === undefined',
      "first !== null",
    ],
    [
      "what a worker gave up is anybody's while it stops",
      "return growth === undefined ? own : larger(own, wanted);",
      "return own;",
    ],
    ["what a kept worker gave up is anybody's", "...vacatedBy(scene).map(([, held]) => held),", ""],
    ["creates without an answer hold nothing", "...scene.uncertain.map(() => wanted),", ""],
    [
      "workers of other groups hold nothing",
      "...strangers(snapshot, planned).map(ownReservation),",
      "",
    ],
    [
      "what cannot be inspected holds nothing",
      'labelledReservation(labels["dev.wgctl.template"] ?? "")',
      "NOTHING",
    ],
  ]),
  ...of("core/plan/roll.ts", planTests("admission"), [
    [
      "workers go for successors that have no room",
      "isMeant(worker) && !draft.mustStay(worker)",
      "isMeant(worker)",
    ],
  ]),
  ...of("app/observe.ts", appTests("observe"), [
    [
      "a signal to the process before is taken for this one's",
      "Math.max(read.phase.since, run.startedAt)",
      "read.phase.since",
    ],
    [
      "a word to drain is taken for the stop signal",
      "isTold || known.has(",
      "isTold || known.size > 0 || known.has(",
    ],
  ]),
  ...of("app/lease-claims.ts", appTests("lease-claims"), [
    [
      "a lease that cannot be read yet is believed at once",
      'lease?.state.kind !== "unreadable" || looks >= LOOKS',
      "looks > 0",
    ],
  ]),
  ...of("core/plan/notices.ts", planTests("notices"), [
    [
      "one that is only reported is not spoken of",
      'spec.onUnhealthy === "Report"',
      "spec.onUnhealthy === undefined",
    ],
    ["the engine's own network is called another", "facts.networks.length < 2", "false"],
  ]),
  ...of("app/image-watch.ts", appTests("image-watch"), [
    [
      "registries are asked in every look",
      "this.#answers.has(reference) || this.#isResting(reference)",
      "this.#isResting(reference)",
    ],
    [
      "a registry in trouble gets no rest",
      "this.#answers.has(reference) || this.#isResting(reference)",
      "this.#answers.has(reference)",
    ],
    [
      "a pulled image is pulled for ever",
      'this.#answers.set(reference, { digest: "pulled" });',
      "",
    ],
    [
      "an answer is remembered although the image has not come",
      "[...this.#asked].filter(([each]) => !open.has(each))",
      "[...this.#asked]",
    ],
    [
      "what was remembered of another image counts",
      "if (record?.spec !== (group.specDigest ?? specDigest(group.spec))) return true;",
      "if (record === undefined) return true;",
    ],
  ]),
  ...of("core/adoption.ts", planTests("adopt"), [
    ["the first that is adopted has the second slot", "slot: index + 1", "slot: index + 2"],
    ["a worker is adopted", "uidOf(facts.labels) === undefined", "true"],
  ]),
  ...of(
    "core/adoption.ts",
    ["test/core/adoption.test.ts"],
    [
      [
        "an adopted container gets another slot than its host port's",
        "portInSlot(text, slot)",
        "portInSlot(text, slot + 1)",
      ],
      ["a container with ports of two slots stands in both", "left.delete(found)", "found.id"],
    ],
  ),
  ...of("core/assess.ts", planTests("adopt"), [
    [
      "what is adopted may be of the desired revision",
      '[{ kind: "adopted" }, ...worker.differences]',
      "worker.differences",
    ],
  ]),
  ...of("core/plan/keep.ts", planTests("adopt"), [
    [
      "an adopted container is kept that is gone once it ends",
      'if (worker.facts.autoRemove === true) return "remove";\n',
      "",
    ],
    [
      "an adopted container is not kept where another revision was complete",
      "outlook.isRecorded && !isAdopted(worker)",
      "outlook.isRecorded",
    ],
    [
      "an adopted container does not come back where another revision was complete",
      "isDesired(draft, stable) || isAdopted(worker)",
      "isDesired(draft, stable)",
    ],
    [
      "an adopted container is dropped where another revision was complete",
      "isOther && !isAdopted(worker)",
      "isOther",
    ],
  ]),
  ...of("core/plan/leave.ts", planTests("adopt"), [
    [
      "volumes of an adopted container go with it",
      "isAdopted(worker) ? ({ keepsVolumes: true } as const) : {}",
      "{}",
    ],
  ]),
  ...of("core/plan/adjust.ts", planTests("adopt"), [
    [
      "an adopted container that serves again is not armed",
      "isAdopted(worker) ? policyOfAdopted(draft, worker) : ownRestartPolicy(worker)",
      "ownRestartPolicy(worker)",
    ],
    [
      "an adopted container is armed before it goes",
      "outlook.isBlocked && facts.autoRemove !== true",
      "facts.autoRemove !== true",
    ],
  ]),
  ...of("core/plan/refuse.ts", planTests("adopt"), [
    [
      "an adopted container is in its own successor's way",
      "isOurs(holder, name, scene) || isOfGroup(holder, scene)",
      "isOurs(holder, name, scene)",
    ],
  ]),
  ...of("core/plan/notices.ts", planTests("adopt"), [
    [
      "that adopted containers are gone is not said",
      "...ofWorkers, ...goneContainers(adoption)",
      "...ofWorkers",
    ],
  ]),
  ...of("app/adopted.ts", appTests("adopted"), [
    [
      "what adopted containers were given is told",
      "sealForeign(template, spec.template, identity.uid).template",
      "template",
    ],
    [
      "an adopted container is gone where the engine does not answer for it",
      'return { kind: "unknown" }',
      "return undefined",
    ],
  ]),
  ...of("app/observe.ts", appTests("adopted"), [
    [
      "nobody asks whether an adopted container was asked to stop",
      "[...listing.workers, ...adoptedFacts(adoption)]",
      "listing.workers",
    ],
  ]),
  ...of("app/discreet-engine.ts", appTests("adopted"), [
    [
      "an engine's words tell what an adopted container was given",
      "if (template !== undefined) this.#veil.learn(idOrName, template);",
      "",
    ],
  ]),
  ...of("app/perform.ts", appTests("perform"), [
    [
      "volumes that are to stay when an adopted container goes are removed",
      'action.keepsVolumes ? "volumes" : undefined',
      "undefined",
    ],
  ]),
  ...of(
    "core/live-limits.ts",
    ["test/core/live-limits.test.ts"],
    [
      [
        "an engine that cannot limit swap is set again and again",
        "own === undefined || own === -1 || own === declared",
        "own === undefined || own === declared",
      ],
      [
        "a limit of memory and swap is lowered while it may be in use",
        '...(swap === "lowered" ? ["memswap_limit"] : []),',
        "",
      ],
      [
        "memory that is raised takes the declared swap along to twice as much",
        '(compared !== "raised" && !isSetAnew)',
        'compared !== "raised"',
      ],
    ],
  ),
  ...of(
    "core/platform.ts",
    ["test/core/platform.test.ts"],
    [
      [
        "an image of another platform will do",
        "own[at] === undefined || own[at] === part",
        "true || own[at] === part",
      ],
      [
        "a variant that an image does not tell is missed",
        "own[at] === undefined || own[at] === part",
        "own[at] === part",
      ],
    ],
  ),
  ...of(
    "core/revision.ts",
    ["test/core/file-mounts.test.ts"],
    [
      [
        "an edited file replaces nobody",
        "paths.length + contents.length + missing.length === 0",
        "paths.length + missing.length === 0",
      ],
      [
        "an edited file is told as a changed template",
        '...(contents.length > 0 ? [{ kind: "file", paths: contents } as const] : []),',
        '...(contents.length > 0 ? [{ kind: "template", paths: contents } as const] : []),',
      ],
    ],
  ),
  ...of(
    "core/file-differences.ts",
    ["test/core/file-mounts.test.ts", "test/core/plan/why.test.ts"],
    [
      [
        "another file at the same place counts as an edited one",
        '{ ...old, content: desired["content"] }',
        '{ ...old, file: desired["file"] ?? "", content: desired["content"] ?? "" }',
      ],
    ],
  ),
  ...of(
    "core/file-mounts.ts",
    ["test/core/file-mounts.test.ts"],
    [
      ["the order of files makes another revision", "byTarget(secrets)", "secrets"],
      [
        "equal files of two groups have one digest",
        'sha256(uid, "\\0", IN_A_FILE, bytes)',
        "sha256(IN_A_FILE, bytes)",
      ],
      ["what is in a secret file is not hidden", "values.set(content, hiddenText(bytes));", ""],
    ],
  ),
  ...of(
    "core/placeholders.ts",
    ["test/core/placeholders.test.ts"],
    [
      [
        "all slots have the first of a range",
        "Number(range[1]) + values.slot - 1",
        "Number(range[1])",
      ],
      [
        "a device of the host is the same for all",
        "source: expand(device.source)",
        "source: device.source",
      ],
    ],
  ),
];
