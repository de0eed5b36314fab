// Where not all may go at once, those with nothing to do go first; they are asked before anybody is chosen.

import type { ProbeFacts, WorkerFacts } from "../../../src/core/observed.ts";
import { ago, group, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, keeps, OLD, type Row, stops } from "./table.ts";

const drain = { idle: { exec: ["bin/idle"] } };

const answer = ({ id, name }: WorkerFacts, isTrue: boolean, seconds = 1) =>
  [id, { name, asks: "idle", isTrue, at: ago(seconds) } satisfies ProbeFacts] as const;

const old = [1, 2, 3].map((slot) => worker(slot, OLD));
const [first, second, third] = old as [WorkerFacts, WorkerFacts, WorkerFacts];
const answers = (...each: readonly (readonly [string, ProbeFacts])[]) => ({
  probes: Object.fromEntries(each),
});
const why = "template-changed command";
const asks = (...slots: readonly number[]) =>
  slots.map((slot) => `probe mailer-${slot}-old: ${why}`);

const ROLLING: readonly Row[] = [
  {
    name: "all are asked first, and nobody goes meanwhile",
    desired: group({ drain }),
    seen: snapshot(old),
    actions: asks(1, 2, 3),
  },
  {
    name: "the idle one goes, though it is not the first",
    desired: group({ drain }),
    seen: snapshot(old, answers(answer(first, false), answer(second, true), answer(third, false))),
    actions: keeps("mailer-2-old", why),
  },
  {
    name: "where none is idle the first goes as ever",
    desired: group({ drain }),
    seen: snapshot(old, answers(...old.map((each) => answer(each, false)))),
    actions: keeps("mailer-1-old", why),
  },
  {
    name: "an answer of ten seconds ago says nothing any more",
    desired: group({ drain }),
    seen: snapshot(
      old,
      answers(answer(first, false), answer(second, true, 10), answer(third, true)),
    ),
    actions: asks(2),
  },
  {
    name: "nor does one that was given under another name",
    desired: group({ drain }),
    seen: snapshot(
      old,
      answers(
        answer(first, false),
        answer({ ...second, name: "mailer-2-old.draining-1" }, true),
        answer(third, true),
      ),
    ),
    actions: asks(2),
  },
  {
    name: "nobody is asked where all may go",
    desired: group({ drain, rollout: { maxUnavailable: { kind: "count", count: 3 } } }),
    seen: snapshot(old),
    actions: [1, 2, 3].flatMap((slot) => keeps(`mailer-${slot}-old`, why)),
  },
  {
    name: "nor where none may",
    desired: group({ drain }),
    seen: snapshot([worker(1, { run: running(2) }), second, third]),
    actions: [],
  },
];

const SHRINKING: readonly Row[] = [
  {
    name: "above the count the idle one goes first where one has to wait",
    desired: group({ drain, replicas: 2 }),
    seen: snapshot(
      [worker(1, { run: running(2) }), worker(2, { run: running(2) }), worker(3), worker(4)],
      answers(answer(worker(3), true), answer(worker(4), false)),
    ),
    actions: stops("mailer-3-desired", "scale-down"),
  },
];

checkRows("rolling", ROLLING);
checkRows("shrinking", SHRINKING);
