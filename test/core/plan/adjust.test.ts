// What is put right on a running worker without a restart, and what needs another container.

import { expect, it } from "vitest";
import { exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, keeps, makes, type Row } from "./table.ts";

const half = { template: { cpus: 0.5, mem_limit: 64 } };
const asHalf = { cpus: 0.5, memory: 64 };
const single = (template = {}, more = {}) => group({ replicas: 1, template, ...more });

const LIMITS: readonly Row[] = [
  {
    name: "limits that are as declared ask for nothing, whatever it was made with",
    desired: single(half.template),
    seen: snapshot([worker(1, { facts: { limits: asHalf } })]),
    actions: [],
    converged: true,
  },
  {
    name: "a raised limit is set on the same container",
    desired: single({ cpus: 2, mem_limit: 128 }),
    seen: snapshot([worker(1, { spec: half, facts: { limits: asHalf } })]),
    actions: ["update-in-place mailer-1-desired: drift"],
    converged: false,
  },
  {
    name: "swap is set in place as well, and with memory",
    desired: single({ mem_limit: 64, memswap_limit: 96 }),
    seen: snapshot([worker(1, { facts: { limits: { memory: 64, swap: 70 } } })]),
    actions: ["update-in-place mailer-1-desired: drift"],
  },
  {
    name: "swap that is no longer declared needs another worker",
    desired: single({ mem_limit: 64 }),
    seen: snapshot([
      worker(1, {
        spec: { template: { mem_limit: 64, memswap_limit: 96 } },
        facts: { limits: { memory: 64, swap: 96 } },
      }),
    ]),
    actions: keeps("mailer-1-old", "template-changed memswap_limit"),
  },
  {
    name: "so is one that somebody changed by hand",
    desired: single(half.template),
    seen: snapshot([worker(1, { spec: half, facts: { limits: { cpus: 4, memory: 64 } } })]),
    actions: ["update-in-place mailer-1-desired: drift"],
  },
  {
    name: "a limit that is taken off needs another worker",
    desired: single(),
    seen: snapshot([worker(1, { spec: half, facts: { limits: asHalf } })]),
    actions: keeps("mailer-1-old", "template-changed cpus,mem_limit"),
  },
  {
    name: "one that has ended is given none",
    desired: single(half.template),
    seen: snapshot([worker(1, { run: exited(4) })]),
    actions: [],
  },
  {
    name: "nor is one that is about to leave",
    desired: single({ ...half.template, command: ["new"] }),
    seen: snapshot([worker(1)]),
    actions: keeps("mailer-1-old", "template-changed command"),
  },
];

const POLICIES: readonly Row[] = [
  {
    name: "another restart policy is set on the same container",
    desired: single({ restart: "always" }),
    seen: snapshot([worker(1)]),
    actions: ["arm mailer-1-desired: drift"],
  },
  {
    name: "so is that there is none any more",
    desired: single(),
    seen: snapshot([worker(1, { spec: { template: { restart: "always" } } })]),
    actions: ["arm mailer-1-desired: drift"],
  },
  {
    name: "an old one keeps the policy that it has",
    desired: single({ restart: "always", command: ["new"] }, { rollout: { paused: true } }),
    seen: snapshot([worker(1, { spec: { template: { restart: "on-failure" } } })]),
    actions: [],
    blocks: ["Paused"],
  },
  {
    name: "one that keeps being restarted and is about to go is not armed again",
    desired: group({ replicas: 2, template: { restart: "always", command: ["new"] } }),
    seen: snapshot([
      worker(1, {
        spec: { template: { restart: "always" } },
        facts: { restartPolicy: "no", restartCount: 3 },
      }),
      worker(2, {
        spec: { template: { restart: "always", command: ["new"] } },
        run: running(2),
      }),
    ]),
    actions: [],
  },
];

const EXITS: readonly Row[] = [
  {
    name: "a success is replaced by a fresh container at once, with no attempt counted",
    desired: single({}, { onExit: { success: "Recreate" } }),
    seen: snapshot([worker(1, { run: exited(1, 0, 3) })]),
    actions: ["remove mailer-1-desired: exited", ...makes("mailer-1-desired", "exited")],
  },
  {
    name: "a failure waits, however successes are treated",
    desired: single({}, { onExit: { success: "Recreate" } }),
    seen: snapshot([worker(1, { run: exited(1, 1, 3) })]),
    actions: [],
    dueIn: 9,
  },
  {
    name: "the same container is started again where that is wished",
    desired: single({}, { onExit: { success: "Restart" } }),
    seen: snapshot([worker(1, { run: exited(1, 0, 3) })]),
    actions: ["start mailer-1-desired: exited"],
  },
  {
    name: "after a failure only once its back-off is over",
    desired: single({}, { onExit: { failure: "Restart" } }),
    seen: snapshot([worker(1, { run: exited(4) })]),
    actions: [],
    dueIn: 6,
  },
  {
    name: "and then",
    desired: single({}, { onExit: { failure: "Restart" } }),
    seen: snapshot([worker(1, { run: exited(10) })]),
    actions: ["start mailer-1-desired: exited"],
  },
  {
    name: "one that is left has done its work, and the group is as declared",
    desired: group({ replicas: 2, onExit: { success: "Leave" } }),
    seen: snapshot([worker(1, { run: exited(99, 0) }), worker(2)]),
    actions: [],
    converged: true,
  },
  {
    name: "and counts as one that serves while others are replaced",
    desired: group({ replicas: 2, onExit: { success: "Leave" } }),
    seen: snapshot([
      worker(1, { run: exited(99, 0) }),
      worker(2, { spec: { template: { command: ["old"] } } }),
    ]),
    actions: keeps("mailer-2-old", "template-changed command"),
  },
  {
    name: "one that may be left after a success only is replaced after a failure",
    desired: single({}, { onExit: { success: "Leave" } }),
    seen: snapshot([worker(1, { run: exited(10) })]),
    actions: ["remove mailer-1-desired: exited", ...makes("mailer-1-desired-2", "exited")],
  },
  {
    name: "a failure may be left as well",
    desired: single({}, { onExit: { failure: "Leave" } }),
    seen: snapshot([worker(1, { run: exited(10) })]),
    actions: [],
    converged: true,
  },
  {
    name: "one that is to be started again waits for no slot in which another runs, and goes",
    desired: group({ replicas: 2, onExit: { failure: "Restart" }, rollout: { paused: true } }),
    seen: snapshot([
      worker(1, { run: exited(10, 137) }),
      worker(1, { spec: { template: { command: ["old"] } } }),
    ]),
    actions: ["remove mailer-1-desired: exited", ...makes("mailer-2-desired", "missing")],
    blocks: ["Paused"],
  },
];

checkRows("limits", LIMITS);
checkRows("restart policies", POLICIES);
checkRows("after an exit", EXITS);

it("sets what differs and no more", () => {
  const seen = snapshot([worker(1, { facts: { limits: { cpus: 0.5, memory: 32 } } })]);
  const [action] = planFor([single(half.template)], seen).actions;
  expect(action).toMatchObject({ kind: "update-in-place", limits: { memory: 64 } });
  expect(action?.detail).toBe("memory 64 bytes");
});
