// What each field of a template becomes: YAML as a person writes it in, the normalised field out.

import { homedir } from "node:os";
import { expect, test } from "vitest";
import { loadText, manifest, specOf } from "./manifests.ts";

const rows: readonly (readonly [string, object])[] = [
  ["command: bundle exec 'side kiq'", { command: ["bundle", "exec", "side kiq"] }],
  ["command: [sleep, 3600]", { command: ["sleep", "3600"] }],
  ["command: [echo, no, 0644, 1.10, 'null']", { command: ["echo", "no", "0644", "1.10", "null"] }],
  ["command:", {}],
  ["entrypoint: [tini, --]", { entrypoint: ["tini", "--"] }],
  ["environment: {A: b, N: 1}", { environment: { A: "b", N: "1" } }],
  ["environment: [A=b, 'C=d=e', D=]", { environment: { A: "b", C: "d=e", D: "" } }],
  [
    "environment: {A: no, B: 22:22, C: 0644, D: 1.10, E: 1e3, F: 'null', G: \"\", H: 0x1F, I: ~x, J: .inf}",
    {
      environment: {
        A: "no",
        B: "22:22",
        C: "0644",
        D: "1.10",
        E: "1e3",
        F: "null",
        G: "",
        H: "0x1F",
        I: "~x",
        J: ".inf",
      },
    },
  ],
  [
    "environment: {A: 2026-11-29, B: 9007199254740993, C: +1, D: 1_000, E: True}",
    {
      environment: { A: "2026-11-29", B: "9007199254740993", C: "+1", D: "1_000", E: "True" },
    },
  ],
  [
    "environment:\n  A: |\n    two\n    lines\n  B: >-\n    folded\n    line",
    {
      environment: { A: "two\nlines\n", B: "folded line" },
    },
  ],
  ["environment: {A: $$HOME, B: 5$$}", { environment: { A: "$HOME", B: "5$" } }],
  ["environment: {}", {}],
  ["labels: {team: growth, empty: }", { labels: { team: "growth", empty: "" } }],
  ["labels: [team=growth, bare]", { labels: { team: "growth", bare: "" } }],
  [
    "volumes: [./a:/b:ro, ../c:/d, ~/e:/f, /g/../h:/i, data:/j, /k]",
    {
      volumes: [
        { type: "bind", source: "/srv/app/a", target: "/b", read_only: true },
        { type: "bind", source: "/srv/c", target: "/d" },
        { type: "bind", source: `${homedir()}/e`, target: "/f" },
        { type: "bind", source: "/h", target: "/i" },
        { type: "volume", source: "data", target: "/j" },
        { type: "volume", target: "/k" },
      ],
    },
  ],
  [
    "volumes:\n  - {type: bind, source: ./a, target: /b, read_only: true}\n  - {type: volume, source: data, target: /c, read_only: false}",
    {
      volumes: [
        { type: "bind", source: "/srv/app/a", target: "/b", read_only: true },
        { type: "volume", source: "data", target: "/c" },
      ],
    },
  ],
  ["networks: [shop_default]", { networks: { shop_default: {} } }],
  [
    "networks: {shop_default: {aliases: [w]}, other: }",
    { networks: { shop_default: { aliases: ["w"] }, other: {} } },
  ],
  ["networks: []", {}],
  ["network_mode: container:db", { network_mode: "container:db" }],
  [
    "ports: [80, '8080:81']",
    {
      ports: [
        { target: 80, protocol: "tcp" },
        { target: 81, published: "8080", protocol: "tcp" },
      ],
    },
  ],
  [
    "ports: [{target: 80, published: '8080', protocol: udp, host_ip: 127.0.0.1, mode: ingress}]",
    {
      ports: [{ target: 80, published: "8080", protocol: "udp", host_ip: "127.0.0.1" }],
    },
  ],
  ["restart: no", { restart: "no" }],
  ["restart: on-failure:5", { restart: "on-failure:5" }],
  [
    "healthcheck: {test: curl -f localhost || exit 1, interval: 1m30s, timeout: 3s, retries: 3, start_period: 20s}",
    {
      healthcheck: {
        test: ["CMD-SHELL", "curl -f localhost || exit 1"],
        interval: 90,
        timeout: 3,
        retries: 3,
        start_period: 20,
      },
    },
  ],
  ["healthcheck: {test: [CMD, bin/healthy]}", { healthcheck: { test: ["CMD", "bin/healthy"] } }],
  ["healthcheck: {test: [CMD-SHELL, a b]}", { healthcheck: { test: ["CMD-SHELL", "a b"] } }],
  [
    "healthcheck: {test: \"docker ps --format '{{.Names}}'\"}",
    {
      healthcheck: { test: ["CMD-SHELL", "docker ps --format '{{.Names}}'"] },
    },
  ],
  ["healthcheck: {disable: true}", { healthcheck: { test: ["NONE"] } }],
  ["healthcheck: {test: [NONE]}", { healthcheck: { test: ["NONE"] } }],
  ["healthcheck: {retries: 2}", { healthcheck: { retries: 2 } }],
  ["stop_signal: usr1", { stop_signal: "SIGUSR1" }],
  ["stop_grace_period: 1m30s", { stop_grace_period: 90 }],
  ["cpus: 0.50", { cpus: 0.5 }],
  ["mem_limit: 256M", { mem_limit: 268_435_456 }],
  [
    "deploy: {resources: {limits: {cpus: '0.5', memory: 256M}}}",
    { cpus: 0.5, mem_limit: 268_435_456 },
  ],
  ["cpus: 0.5\ndeploy: {resources: {limits: {cpus: '0.50'}}}", { cpus: 0.5 }],
  ["deploy: {}", {}],
  ["x-note: {any: [thing]}", {}],
  ["entrypoint: ''", { entrypoint: [] }],
  ["entrypoint: []", { entrypoint: [] }],
  ["working_dir: /srv", { working_dir: "/srv" }],
  ["user: 1000:1000", { user: "1000:1000" }],
  ["user: 0", { user: "0" }],
  ["hostname: w", { hostname: "w" }],
  ["init: true", { init: true }],
  ["tmpfs: /tmp", { tmpfs: { "/tmp": "" } }],
  ["tmpfs: ['/tmp:noexec,size=100m', /run]", { tmpfs: { "/tmp": "noexec,size=100m", "/run": "" } }],
  [
    "volumes: [{type: tmpfs, target: /t, tmpfs: {size: 1m}}, data:/d:z]",
    {
      tmpfs: { "/t": "size=1048576" },
      volumes: [{ type: "volume", source: "data", target: "/d", selinux: "z" }],
    },
  ],
  [
    "volumes: [{type: bind, source: ./a, target: /b, bind: {selinux: Z, create_host_path: true}}]",
    { volumes: [{ type: "bind", source: "/srv/app/a", target: "/b", selinux: "Z" }] },
  ],
  [
    "logging: {driver: json-file, options: {max-size: 10m, max-file: 5}}",
    {
      logging: { driver: "json-file", options: { "max-size": "10m", "max-file": "5" } },
    },
  ],
  ["logging: {}", {}],
  ["mem_reservation: 64M", { mem_reservation: 67_108_864 }],
  [
    "deploy: {resources: {reservations: {cpus: '0.25', memory: 64M}}}",
    { cpu_reservation: 0.25, mem_reservation: 67_108_864 },
  ],
  [
    "ports: ['5200-5209:5000']",
    { ports: [{ target: 5000, published: "5200-5209", protocol: "tcp" }] },
  ],
  [
    "ports: ['5200-5201:80-81']",
    {
      ports: [
        { target: 80, published: "5200", protocol: "tcp" },
        { target: 81, published: "5201", protocol: "tcp" },
      ],
    },
  ],
];

test.each(rows)("%s", async (yaml, expected) => {
  const spec = await specOf(manifest(yaml));
  expect(spec.template).toEqual({ image: "busybox:1.36", ...expected });
});

const every = (seconds: number) => ({ kind: "every", seconds });

test.each([
  ["missing", "missing"],
  ["if_not_present", "missing"],
  ["never", "never"],
  ["always", "always"],
  ["daily", every(86_400)],
  ["weekly", every(604_800)],
  ["every_12h", every(43_200)],
  ["every_1d12h", every(129_600)],
  ["every_30s", every(30)],
])("pull_policy %s is %j, and no part of the template", async (written, policy) => {
  const spec = await specOf(manifest(`pull_policy: ${written}`));
  expect(spec.pullPolicy).toEqual(policy);
  expect(spec.template).toEqual({ image: "busybox:1.36" });
});

test("merge keys give what is not set beside them, the earlier of a list first", async () => {
  const root = "x-a: &a {A: '1', B: '1'}\nx-b: &b {A: '2', C: '2', D: '2'}";
  const spec = await specOf(manifest("environment:\n  D: '3'\n  <<: [*a, *b]", { root }));
  expect(spec.template.environment).toEqual({ A: "1", B: "1", C: "2", D: "3" });
});

test("an alias means the anchor before it, though a later one has its name", async () => {
  const root = "x-a: &a one\nx-b: [*a]\nx-c: &a two";
  const spec = await specOf(manifest("command: [*a]", { root }));
  expect(spec.template.command).toEqual(["two"]);
});

test("a quoted << is a key like any other", async () => {
  const spec = await specOf(manifest('labels: {"<<": x}'));
  expect(spec.template.labels).toEqual({ "<<": "x" });
});

test.each([
  ["0644", true],
  ["1.10", true],
  ["0x1F", true],
  ["1_000", true],
  ["1e3", true],
  ["+1", true],
  ["True", true],
  [".inf", true],
  ["'0644'", false],
  ["1.1", false],
  ["12", false],
  ["12345678901234567890", false],
  ["no", false],
  ["22:22", false],
  ["1.2.3", false],
])("%s is warned of: %s", async (value, isWarned) => {
  const { problems, groups } = await loadText(manifest(`environment: {A: ${value}}`));
  expect(problems.map(({ severity }) => severity)).toEqual(isWarned ? ["warning"] : []);
  expect(groups).toMatchObject([
    { kind: "valid", spec: { template: { environment: { A: value.replaceAll("'", "") } } } },
  ]);
});
