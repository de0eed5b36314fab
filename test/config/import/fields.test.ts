// Every field of a service: what it is in the manifest, and what is said of it.

import { expect, test } from "vitest";
import { importText, problemLines, valueIn, withWorker } from "./compose.ts";

const GRACE = "stop_grace_period: 10s\n";
const OWN = { shop_default: { aliases: ["worker"] } };

/** Lines of the service, lines beside the services; then template (without image, networks and grace) and notes. */
type Row = readonly [
  what: string,
  lines: string,
  template: object,
  notes?: readonly string[],
  rest?: string,
];

const rows: readonly Row[] = [
  ["texts as they are", "user: 0644\nworking_dir: /a", { user: "0644", working_dir: "/a" }],
  ["an environment list", "environment: [A=1, B=no]", { environment: ["A=1", "B=no"] }],
  [
    "names without values",
    "environment: {A: 1, B: , C: ~}",
    { environment: { A: "1", B: null, C: null } },
    [
      "environment: B and C have no value here: set in .env, or name for the shell's with --env or spec.env of wgctl.yaml",
    ],
  ],
  [
    "a name without a value in a list",
    "environment: [B]",
    { environment: ["B"] },
    [
      "environment: B has no value here: set in .env, or name for the shell's with --env or spec.env of wgctl.yaml",
    ],
  ],
  ["nothing of an empty field", "command:\nuser: ~", {}],
  ["nothing of x- fields", "x-note: a", {}],
  [
    "dollars and variables",
    `command: ["a", "$$A", "\${B:-c}"]`,
    { command: ["a", "$$A", `\${B:-c}`] },
  ],
  [
    "braces as text",
    'environment: {F: "{{.Names}}"}\nlabels: {a: "{{x}}"}\nlogging: {options: {tag: "{{.Name}}"}}',
    {
      environment: { F: '{{"{{"}}.Names}}' },
      labels: { a: '{{"{{"}}x}}' },
      logging: { options: { tag: "{{.Name}}" } },
    },
  ],
  ["placeholders of Swarm", 'hostname: "w-{{.Task.Slot}}"', { hostname: "w-{{.Task.Slot}}" }],
  [
    "a container's name not",
    "container_name: w",
    {},
    ["container_name: left out; workers are named <group>-<slot>-<revision>"],
  ],
  [
    "links, ports for others and terminals not",
    'links: [db]\nexpose: ["80"]\ntty: true\nstdin_open: true',
    {},
    [
      "links: left out; on one network every service is reached by its name",
      "expose: left out; on a network every port can be reached",
      "tty: left out; a worker has no terminal",
      "stdin_open: left out; nobody types into a worker",
    ],
  ],
  [
    "a build beside an image not",
    "build: .\npull_policy: build",
    {},
    [
      "build: left out; wgctl builds nothing, so build and push the image first",
      "pull_policy: build is left out; wgctl builds nothing",
    ],
  ],
  ["a pull policy", "pull_policy: always", { pull_policy: "always" }],
  [
    "what it depends on as words",
    "depends_on: [db]",
    {},
    ["depends_on: left out; the worker itself has to wait for db, or try again"],
  ],
  [
    "what has to run before as words",
    "depends_on: {db: {condition: service_completed_successfully}}",
    {},
    ["depends_on: left out; db must have run before: docker compose run --rm db"],
  ],
  [
    "a named volume by its project's name",
    'volumes: ["data:/data", "data:/more:ro", "./a:/a", "/b"]',
    { volumes: ["shop_data:/data", "shop_data:/more:ro", "./a:/a", "/b"] },
    ["volumes: on the engine data is shop_data"],
    "volumes: {data: }",
  ],
  [
    "a named volume by its own name",
    'volumes: ["data:/data", {type: volume, source: logs, target: /logs}]',
    { volumes: ["there:/data", { type: "volume", source: "logs", target: "/logs" }] },
    ["volumes: on the engine data is there"],
    "volumes: {data: {name: there}, logs: {external: true}}",
  ],
  [
    "a source with variables",
    `volumes: ['\${D:-./d}:/data', '$D:/e:ro', 'data:/app/\${S:-a.b}']`,
    { volumes: [`\${D:-./d}:/data`, "$D:/e:ro", `shop_data:/app/\${S:-a.b}`] },
    ["volumes: on the engine data is shop_data"],
    "volumes: {data: }",
  ],
  [
    "a disabled health check, and one without its start interval",
    "healthcheck: {disable: true, start_interval: 1s}",
    { healthcheck: { disable: "true" } },
    ["healthcheck.start_interval: left out; a starting worker is asked as often as any other"],
  ],
  [
    "a restart policy of deploy",
    "restart: always\ndeploy: {restart_policy: {condition: on-failure, max_attempts: 3, delay: 5s}}",
    { restart: "on-failure:3" },
    ["restart: from deploy.restart_policy, without delay: the engine waits as it does"],
  ],
  [
    "resources, and what is Swarm's not",
    "deploy: {resources: {limits: {cpus: '1'}}, placement: {}, labels: {a: b}, endpoint_mode: vip, rollback_config: {}}",
    { deploy: { resources: { limits: { cpus: "1" } } } },
    [
      "deploy.placement: left out; all workers run on one engine",
      "deploy.labels: left out; they belong to a Swarm service, not to its containers",
      "deploy.endpoint_mode: left out; it belongs to Swarm's networks",
      "deploy.rollback_config: left out; a rollback keeps to spec.rollout",
    ],
  ],
  [
    "a fixed host port, of one worker",
    'ports: ["127.0.0.1:3030:3030", "80"]',
    { ports: ["127.0.0.1:3030:3030", "80"] },
    [
      "ports: host port 3030 is one worker's: to have more, leave it out or give each slot its own, as in 5200-5209:5000",
    ],
  ],
];

test.each(
  rows.map(([what, lines, template, notes = [], rest = ""]) => ({
    ...{ what, lines, template, notes, rest },
  })),
)("$what", ({ lines, template, notes, rest }) => {
  const result = importText(withWorker(GRACE + lines, rest), { services: ["worker"] });
  const { image, networks, stop_grace_period, ...others } = Object(
    valueIn(result, "spec", "template"),
  );
  expect({ image, networks, stop_grace_period }).toEqual({
    image: "app:1",
    networks: OWN,
    stop_grace_period: "10s",
  });
  expect(others).toEqual(template);
  expect(result.groups[0]?.notes.filter((note) => !note.startsWith("networks:"))).toEqual(notes);
});

test.each([
  ["nothing", "", "1", undefined],
  ["deploy.replicas", "deploy: {replicas: 3}", "3", "replicas: from deploy.replicas"],
  ["a variable", `deploy: {replicas: '\${N:-4}'}`, `\${N:-4}`, "replicas: from deploy.replicas"],
  ["scale", "scale: 2", "2", "replicas: from scale"],
  ["both", "scale: 2\ndeploy: {replicas: 2}", "2", "replicas: from scale"],
  [
    "global",
    "deploy: {mode: global}",
    "1",
    "deploy.mode: global is one worker on each host, and there is one host",
  ],
  [
    "more than a host port allows",
    'deploy: {replicas: 3}\nports: ["80:80"]',
    "1",
    "replicas: 3 before; the host port allows one",
  ],
  [
    "as many as a range of ports allows",
    'scale: 2\nports: ["80-81:80"]',
    "2",
    "replicas: from scale",
  ],
])("replicas from %s", (_, lines, replicas, note) => {
  const result = importText(withWorker(lines), { services: ["worker"] });
  expect(valueIn(result, "spec", "replicas")).toBe(replicas);
  if (note !== undefined) expect(result.groups[0]?.notes).toContain(note);
});

test("a hostname of several workers gets the slot", () => {
  const result = importText(withWorker("scale: 2\nhostname: w"), { services: ["worker"] });
  expect(valueIn(result, "spec", "template", "hostname")).toBe("w-{{.Task.Slot}}");
});

test.each([
  ["EPHEMERAL", "restart: always\nenvironment: {EPHEMERAL: true}"],
  ["RUNNER_EPHEMERAL", "restart: unless-stopped\nenvironment: [RUNNER_EPHEMERAL=1]"],
  ["--once", "restart: always\ncommand: queue work --once"],
])("a worker that ends after one job is made anew: %s", (_, lines) => {
  const result = importText(withWorker(lines), { services: ["worker"] });
  expect(valueIn(result, "spec", "onExit")).toEqual({ success: "Recreate", failure: "Recreate" });
  expect(valueIn(result, "spec", "template", "restart")).toBeUndefined();
});

test.each([
  ["that is not", "restart: always\nenvironment: {EPHEMERAL: 'false'}"],
  ["that is not restarted", "restart: 'no'\nenvironment: {EPHEMERAL: true}"],
])("any other one is restarted as it was: %s", (_, lines) => {
  const result = importText(withWorker(lines), { services: ["worker"] });
  expect(valueIn(result, "spec", "onExit")).toBeUndefined();
  expect(valueIn(result, "spec", "template", "restart")).toBeDefined();
});

test.each([
  ["parallelism: 2", "", { maxUnavailable: "2" }, ""],
  ["parallelism: 0", "", { maxUnavailable: "100%" }, ""],
  ["parallelism: 1, delay: 2s", "", undefined, ""],
  ["order: start-first", "", { maxUnavailable: "0", maxSurge: "1" }, ""],
  [
    "order: start-first, parallelism: 2",
    "hostname: a",
    { maxUnavailable: "2" },
    ", without order: start-first, for ports and hostnames can be had once",
  ],
  ["failure_action: rollback", "", { onFailure: "Rollback" }, ""],
  [
    "failure_action: continue, monitor: 5s, parallelism: 3",
    "",
    { maxUnavailable: "3" },
    ", without monitor, failure_action: continue",
  ],
])("update_config {%s} with %j", (config, lines, rollout, without) => {
  const text = withWorker(`deploy: {update_config: {${config}}}\n${lines}`);
  const result = importText(text, { services: ["worker"] });
  expect(valueIn(result, "spec", "rollout")).toEqual(rollout);
  const note = `rollout: from deploy.update_config${without}`;
  if (rollout !== undefined) expect(result.groups[0]?.notes).toContain(note);
});

test.each([
  ["none", "", "", { shop_default: { aliases: ["worker"] } }],
  [
    "the default one by another name",
    "",
    "networks: {default: {name: mesh}}",
    { mesh: { aliases: ["worker"] } },
  ],
  [
    "a list",
    "networks: [a, b]",
    "networks: {a: , b: {external: true}}",
    { shop_a: { aliases: ["worker"] }, b: { aliases: ["worker"] } },
  ],
  [
    "a mapping with aliases",
    "networks: {a: {aliases: [w, worker]}}",
    "networks: {a: {external: {name: c}}}",
    { c: { aliases: ["worker", "w"] } },
  ],
  [
    "a name with a variable",
    "networks: [a]",
    `networks: {a: {name: '\${NET:-x}_\${SET}'}}`,
    { x_from_file: { aliases: ["worker"] } },
  ],
  ["another mode", "network_mode: host", "", undefined],
])("networks: %s", (_, lines, rest, networks) => {
  const files = { ".env": "SET=from_file\n" };
  const result = importText(withWorker(lines, rest), { services: ["worker"], files });
  expect(valueIn(result, "spec", "template", "networks")).toEqual(networks);
});

test.each([
  ["scale: 2\ndeploy: {replicas: 3}", "scale: scale says 2 and deploy.replicas 3"],
  ["deploy: {mode: global-job}", "deploy.mode: a group of workers is no global-job"],
  ["links: [db:data]", "links: the link to db calls it data"],
  [
    "network_mode: service:db",
    "network_mode: network_mode service:db is the network of one other container",
  ],
  ["image: ~", "image: worker has no image"],
  ["image: ~\nbuild: .", "build: worker is built here, and a manifest needs an image"],
  ["volumes: ['data:/data']", 'volumes: there is no volume "data" among the volumes of this file'],
  ["stop_signal: SIGNONE", 'stop_signal: "SIGNONE" is no signal'],
  ["command: a && b", 'command: "a && b" has an unquoted &'],
  ["volumes_from: [db]", "volumes_from: volumes_from is not for workers"],
])("refused: %s", (lines, expected) => {
  const { groups, problems } = importText(withWorker(lines), { services: ["worker"] });
  expect(groups).toEqual([]);
  expect(problems.map(({ path, message }) => `${path}: ${message}`)).toContain(
    `services.worker.${expected}`,
  );
});

test("what is refused stands in its place, and the others are imported", () => {
  const text = withWorker("command: a && b", "  other:\n    image: b\n");
  const result = importText(text, { services: ["worker", "other"] });
  expect(problemLines(result)).toEqual(['4:5 services.worker.command: "a && b" has an unquoted &']);
  expect(result.groups.map(({ name }) => name)).toEqual(["other"]);
});

test("an image can be given, for one that is built and for one that is not", () => {
  const text = withWorker("image: ~\nbuild: .");
  expect(importText(text, { services: ["worker"] }).imageless).toEqual(["worker"]);
  const result = importText(text, { services: ["worker"], images: { worker: "a/b:2" } });
  expect(valueIn(result, "spec", "template", "image")).toBe("a/b:2");
  expect(result.imageless).toEqual([]);
  const other = importText(withWorker(""), { services: ["worker"], images: { worker: "c" } });
  expect(valueIn(other, "spec", "template", "image")).toBe("c");
});

const V = "$V";

test.each([
  `image: ${V}/app:${V}`,
  `image: registry:${V}/app`,
  `volumes: ["data:${V}", "${V}:/b", "./c:/d/${V}", {type: bind, source: "${V}", target: "${V}/x"}]`,
  `healthcheck: {test: [CMD, "${V}"], interval: "${V}", timeout: "${V}s", retries: ${V}}`,
  `mem_limit: ${V}\nshm_size: ${V}\ncpus: ${V}\npids_limit: ${V}`,
  `ulimits: {nofile: {soft: ${V}, hard: 65535}, nproc: ${V}}`,
  `ports: ["${V}:80", "127.0.0.1:${V}:81", "$W:82"]`,
  `restart: ${V}`,
  `restart: on-failure:${V}`,
  `init: ${V}\nprivileged: ${V}\nread_only: ${V}`,
  `dns: ["${V}"]\nextra_hosts: ["a:${V}"]`,
  `stop_signal: ${V}\nstop_grace_period: ${V}\nplatform: ${V}`,
  `user: "${V}:$W"\nworking_dir: ${V}\nhostname: ${V}`,
  `env_file: ${V}\nenvironment: ["A=${V}"]\nlabels: {a: "${V}"}\ncommand: ${V}`,
  `scale: ${V}\nports: ["5200-5201:80"]`,
  `deploy: {replicas: ${V}, resources: {limits: {cpus: "${V}", memory: "${V}"}, reservations: {memory: "$W"}}}`,
])("what a variable without a value will be is nobody's error yet: %j", (lines) => {
  const result = importText(withWorker(lines, "volumes: {data: }"), { services: ["worker"] });
  expect(problemLines(result)).toEqual([]);
});

test.each([
  [`read_only: ["${V}"]`, "read_only is a list"],
  [`volumes: ["${V}:/b:zz"]`, "has an unknown option"],
  [`environment: {A: [${V}]}`, "A is a list"],
  [`user: "${V}"\ncommand: a && b`, "has an unquoted &"],
])("what is wrong with any value is one: %j", (lines, message) => {
  const { problems } = importText(withWorker(lines), { services: ["worker"] });
  expect(problems.map((problem) => problem.message).join("\n")).toContain(message);
});
