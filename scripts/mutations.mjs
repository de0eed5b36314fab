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
      [
        "a long life forgives nothing",
        "lastedLong(worker.facts) ? 1 : worker.labels.attempt",
        "worker.labels.attempt",
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
  ...of("core/assess.ts", planTests("plan-group", "refuse", "heal", "roll", "draft"), [
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
    ["a moved image is not seen", "imageId !== undefined && facts.imageId !== imageId", "false"],
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
      "scaling down takes workers that are needed",
      "draft.available() - 1 < draft.scene.limits.minAvailable)\n    return;",
      "draft.available() < 0)\n    return;",
    ],
  ]),
  ...of("core/plan/finish.ts", planTests("finish"), [
    [
      "what is on its way out is forgotten",
      'worker.phase !== undefined || worker.state === "Dead"',
      'worker.state === "Dead"',
    ],
    [
      "remains of the engine stay",
      'worker.phase !== undefined || worker.state === "Dead"',
      "worker.phase !== undefined",
    ],
  ]),
  ...of("core/plan/roll.ts", planTests("roll"), [
    [
      "the deadline of an old worker is not told",
      "if (draft.scene.now < deadline) draft.due(deadline);\n",
      "",
    ],
    [
      "old workers are never retired",
      "for (const worker of candidates.sort(order)) {",
      "for (const worker of []) {",
    ],
    [
      "availability does not bound a rollout",
      "if (draft.available() - 1 < draft.scene.limits.minAvailable) return;\n    draft.leave(worker, whyOld(worker));\n  }\n}\n\nfunction relieved",
      "draft.leave(worker, whyOld(worker));\n  }\n}\n\nfunction relieved",
    ],
    [
      "availability does not bound starting ones",
      "if (serving - 1 < draft.scene.limits.minAvailable) return;\n",
      "",
    ],
    [
      "a broken old worker holds up its replacement",
      "if (isBroken(draft, worker)) draft.leave",
      "if (false) draft.leave",
    ],
    [
      "who has a successor does not go first",
      "Number(relieved.has(other.labels.slot)) - Number(relieved.has(one.labels.slot)) ||\n",
      "",
    ],
  ]),
  ...of("core/plan/heal.ts", planTests("heal"), [
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
    ["back-off is not told", "  draft.due(at);\n}", "}"],
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
    ["a duplicate that is needed goes", "else if (isNeeded(draft, worker)) continue;\n", ""],
    [
      "an exited worker is not replaced",
      'if (isCurrent(worker)) replaceWhenDue(draft, worker, "exited", name);',
      "",
    ],
    [
      "a refused start is not tried again",
      'if (isCurrent(worker)) replaceWhenDue(draft, worker, "start-failed", name);',
      "",
    ],
    ["healing knows no back-off", "draft.scene.now >= at", "true"],
    ["an unhealthy worker stays", 'return "unhealthy";', "return undefined;"],
    ["who is never ready stays", 'return "not-ready";', "return undefined;"],
    ["a bad probe takes all down at once", "if (room <= 0) return;\n", ""],
    [
      "a disarmed worker is not armed again",
      'const isDisarmed = worker.facts.restartPolicy === "no" && policy !== "no";',
      "const isDisarmed = false;",
    ],
  ]),
  ...of("core/plan/fill.ts", planTests("fill"), [
    [
      "an open create of an old revision does not hold Recreate",
      "uncertain.some((create) => create.revision !== revision)",
      "uncertain.length > 1000",
    ],
    [
      "a name under removal is tried",
      "if (going.length === 0) return slots;",
      "if (going.length >= 0) return slots;",
    ],
    ["failures are not counted", "Math.max(remembered, ...failed.map(failuresUpTo))", "remembered"],
    [
      "remembered failures are not counted",
      "Math.max(remembered, ...failed.map(failuresUpTo))",
      "Math.max(0, ...failed.map(failuresUpTo))",
    ],
    ["an open create does not fill its slot", "    ...uncertain.map(({ slot }) => slot),\n", ""],
    ["surge is not limited", "if (draft.existing() >= replicas + maxSurge) return;\n", ""],
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
    [
      "Recreate does not wait for the old ones",
      'if (spec?.rollout.strategy !== "Recreate") return false;',
      "if (spec !== null) return false;",
    ],
    ["a created worker is never started", 'worker.state === "Created" && isWanted', "false"],
  ]),
  ...of("core/plan/draft.ts", planTests("draft", "fill", "refuse"), [
    [
      "a name that waited for its signal is written anew again and again",
      "asked === undefined ? this.#rename(lane, worker, why, disarm) : disarm",
      "this.#rename(lane, worker, why, disarm)",
    ],
    ["grace ends within the second it began in", "const at = end + 1_000;", "const at = end;"],
    [
      "who leaves still counts as staying",
      "worker.phase === undefined && !this.#isGoing(worker) && exists(worker)",
      "worker.phase === undefined && exists(worker)",
    ],
    [
      "a start does not wait for the last old one",
      "this.#push(this.urgent, worker, why, call, this.#removalsOfOld());",
      "this.#push(this.urgent, worker, why, call);",
    ],
    [
      "uncertain creates do not exist",
      "this.remaining().length + this.scene.uncertain.length",
      "this.remaining().length",
    ],
    [
      "a paused worker is stopped",
      "const { run } = worker.facts;\n    switch (run.kind) {",
      'const kind = worker.facts.run.kind;\n    switch (kind === "paused" ? "running" : kind) {',
    ],
    [
      "a worker is not disarmed before it is stopped",
      'if (worker.facts.restartPolicy === "no") return [];',
      "if (worker.facts.restartPolicy !== null) return [];",
    ],
    [
      "grace is not waited for",
      "if (this.scene.now < at) this.due(at);\n    else this.#push",
      "this.#push",
    ],
    [
      "who does not stop is never killed",
      'else this.#push(this.urgent, worker, why, { kind: "kill", target: target(worker) });',
      "",
    ],
    [
      "a longer grace of the new spec is ignored",
      "this.scene.spec?.template.stop_grace_period ?? 0",
      "0",
    ],
    [
      "the container's own grace is ignored",
      "worker.facts.stopTimeout ?? DEFAULT_GRACE_SECONDS",
      "DEFAULT_GRACE_SECONDS",
    ],
    [
      "the container's own stop signal is ignored",
      "worker.facts.stopSignal ?? DEFAULT_STOP_SIGNAL",
      "DEFAULT_STOP_SIGNAL",
    ],
    [
      "a create does not wait for the removal in its slot",
      "const needs = this.#claimRoom(slot);",
      "const needs: readonly string[] = [];",
    ],
    ["a create takes a name that is held", "if (!held.has(name)) return", "return"],
    [
      "Recreate makes before it has removed",
      'if (this.scene.spec?.rollout.strategy !== "Recreate") return [];',
      "if (this.scene.spec !== null) return [];",
    ],
  ]),
  ...of(
    "core/plan/refuse.ts",
    [...planTests("refuse"), "test/core/fence.test.ts"],
    [
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
      [
        "a taken name is tried",
        "if (holder === undefined || isOurs(holder, name, scene)) continue;",
        "if (holder !== null) continue;",
      ],
      [
        "a group of which the engine is silent is touched",
        "if (unknown.length > 0) {",
        "if (unknown.length > 1000) {",
      ],
      [
        "workers are retired for a network that is missing",
        "if (missing.length > 0) {",
        "if (missing.length > 1000) {",
      ],
      ["failures of this run do not hold a group", "if (hold !== undefined) return hold;\n", ""],
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
      'worker.state === "Available" && isCurrent(worker)',
      "isCurrent(worker)",
    ],
    [
      "an image is pulled although that is forbidden",
      'spec.pullPolicy === "never"',
      "spec.pullPolicy === null",
    ],
    [
      "nobody shrinks a group that may begin nothing",
      "  scaleDown(draft);\n  if (hindered !== undefined) return;",
      "  if (hindered !== undefined) return;\n  scaleDown(draft);",
    ],
    [
      "failures are forgotten with their containers",
      "const bySlot = new Map([...remembered, ...seen]",
      "const bySlot = new Map([...seen]",
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
  ...of("core/plan/pull-once.ts", planTests("plan"), [
    [
      "each group pulls the image again",
      "return first === group ? group : waitFor(first, group, pull);",
      "return first === null ? waitFor(first, group, pull) : group;",
    ],
  ]),
  ...of("core/plan/plan.ts", planTests("plan", "finish"), [
    ["another project's groups are pruned", "own.project !== projectUid", "own.project === null"],
    ["what this run leaves out is pruned", "known.has(own.group.uid)", "own.group.uid === null"],
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
      'ALIVE.includes(facts.run.kind) || facts.run.kind === "paused"',
      "false",
    ],
    [
      "any stopped worker is started",
      'return facts.run.kind === "created" ? GO : moved',
      'return facts.run.kind !== "running" ? GO : moved',
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
      'if (isLate(found)) await enterPhase(found, "stopping", engine, signal);\n',
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
      "!isCurrent(worker) && !draft.mustStay(worker)",
      "!isCurrent(worker)",
    ],
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
];
