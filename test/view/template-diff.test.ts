import { describe, expect, test } from "vitest";
import { mountFiles } from "../../src/core/file-mounts.ts";
import { templateLabel } from "../../src/core/revision.ts";
import { diffHunks, templateDiffs } from "../../src/view/template-diff.ts";
import { templateLines } from "../../src/view/template-lines.ts";
import {
  buildDesired,
  buildGroupPlan,
  buildWorker,
  OLD_REVISION,
  REVISION,
} from "../support/build.ts";

const MARKS = { added: "+", removed: "-", around: " " } as const;

function diffText(old: Parameters<typeof diffHunks>[0], desired: typeof old): string {
  const hunks = diffHunks(old, desired);
  return hunks
    .map((lines) => lines.map(({ kind, text }) => `${MARKS[kind]} ${text}`).join("\n"))
    .join("\n...\n");
}

describe("a template as lines", () => {
  test("seconds and bytes with their units", () => {
    const healthcheck = { interval: 1.5, retries: 3 };
    const memory = { mem_limit: 256 * 1024 ** 2, mem_reservation: 1025 };
    expect(templateLines({ stop_grace_period: 45, healthcheck, ...memory })).toEqual([
      "healthcheck:",
      "  interval: 1.5s",
      "  retries: 3",
      "mem_limit: 256M",
      "mem_reservation: 1025",
      "stop_grace_period: 45s",
    ]);
  });

  test("the new amounts with their units, no limit as none", () => {
    expect(templateLines({ shm_size: 1024 ** 3, memswap_limit: -1 })).toEqual([
      "memswap_limit: -1",
      "shm_size: 1G",
    ]);
    expect(templateLines({ memswap_limit: 512 * 1024 ** 2 })).toEqual(["memswap_limit: 512M"]);
  });

  test("a seccomp profile by its parts, any other option as it is", () => {
    const profile = { defaultAction: "SCMP_ACT_ALLOW", syscalls: [{ names: ["mount", "bpf"] }] };
    const security_opt = [`seccomp=${JSON.stringify(profile)}`, "seccomp=unconfined", "seccomp={"];
    expect(templateLines({ security_opt })).toEqual([
      "security_opt:",
      "  - seccomp=",
      "      defaultAction: SCMP_ACT_ALLOW",
      "      syscalls:",
      "        - names:",
      "            - mount",
      "            - bpf",
      "  - seccomp=unconfined",
      "  - seccomp={",
    ]);
  });

  test("maps sorted, lists in order, nested things indented", () => {
    expect(
      templateLines({
        volumes: [
          { type: "bind", target: "/data", source: "/srv" },
          { type: "volume", target: "/v" },
        ],
        image: "mailer:1",
        command: ["bin/run", "--fast"],
        healthcheck: { test: ["CMD", "true"], interval: 10 },
        labels: {},
        ports: [],
        read_only: undefined,
      }),
    ).toEqual([
      "command:",
      "  - bin/run",
      "  - --fast",
      "healthcheck:",
      "  interval: 10s",
      "  test:",
      "    - CMD",
      '    - "true"',
      "image: mailer:1",
      "labels: {}",
      "ports: []",
      "volumes:",
      "  - source: /srv",
      "    target: /data",
      "    type: bind",
      "  - target: /v",
      "    type: volume",
    ]);
  });

  test.each([
    ["no", '"no"'],
    ["0644", '"0644"'],
    ["22:22", '"22:22"'],
    ["1.5", '"1.5"'],
    ["", '""'],
    [" x", '" x"'],
    ["a: b", '"a: b"'],
    ["a\nb", '"a\\nb"'],
    ["bundle exec sidekiq", "bundle exec sidekiq"],
    ["ghcr.io/acme/mailer:1.4.2", "ghcr.io/acme/mailer:1.4.2"],
    ["{{.Task.Slot}}", "{{.Task.Slot}}"],
  ])("the text %j", (text, shown) => {
    expect(templateLines({ key: text })).toEqual([`key: ${shown}`]);
  });
});

describe("a difference", () => {
  test("stands below the keys it belongs to", () => {
    const environment = Object.fromEntries("ABCDEFGH".split("").map((key) => [key, "same"]));
    expect(
      diffText(
        { image: "m:1", environment: { ...environment, E: "old" } },
        { image: "m:1", environment: { ...environment, E: "new" } },
      ),
    ).toBe(`  environment:
    C: same
    D: same
-   E: old
+   E: new
    F: same
    G: same`);
  });

  test("in two places has two parts", () => {
    const same = Object.fromEntries("ABCDEFGH".split("").map((key) => [key, "same"]));
    expect(
      diffText(
        { command: ["one"], labels: same, stop_signal: "TERM" },
        { command: ["two"], labels: same },
      ),
    ).toBe(`  command:
-   - one
+   - two
  labels:
    A: same
...
  labels:
    G: same
    H: same
- stop_signal: TERM`);
  });
});

describe("the differences of a group", () => {
  const one = { image: "mailer:1", environment: { QUEUE: "a" } };
  const two = { image: "mailer:1", environment: { QUEUE: "b" } };
  const differences = [{ kind: "template", paths: ["environment.QUEUE"] }] as const;
  const old = (slot: number, template: typeof one, revision = OLD_REVISION) =>
    buildWorker({ labels: { slot, revision, template: templateLabel(template) }, differences });

  test("come once for each distinct old template", () => {
    const workers = [
      old(1, one),
      old(2, two),
      old(3, one, REVISION),
      buildWorker({ labels: { slot: 4 } }),
    ];
    const desired = buildDesired({ template: { image: "mailer:1", environment: { QUEUE: "c" } } });
    const diffs = templateDiffs(buildGroupPlan({ desired, workers }));
    expect(diffs.map(({ revisions, workers }) => ({ revisions, workers }))).toEqual([
      { revisions: ["1f2e3d4c", "9a8b7c6d"], workers: 2 },
      { revisions: ["9a8b7c6d"], workers: 1 },
    ]);
    const removed = diffs.flatMap(({ hunks }) =>
      hunks.flat().filter(({ kind }) => kind === "removed"),
    );
    expect(removed.map(({ text }) => text)).toEqual(["  QUEUE: a", "  QUEUE: b"]);
  });

  test("are shown of files that were edited, without what is in them", () => {
    const uid = buildDesired().identity.uid;
    const made = (text: string) => {
      const bytes = Buffer.from(text);
      const secrets = [{ file: "/srv/key", target: "/run/secrets/key", bytes }];
      const configs = [{ file: "/srv/app.toml", target: "/app.toml", bytes }];
      return mountFiles({ image: "mailer:1" }, { secrets, configs }, uid).template;
    };
    const paths = ["configs[/app.toml]", "secrets[/run/secrets/key]"];
    const worker = buildWorker({
      labels: { template: templateLabel(made("hunter2")) },
      differences: [{ kind: "file", paths }],
    });
    const desired = buildDesired({ template: made("swordfish") });
    const [diff] = templateDiffs(buildGroupPlan({ desired, workers: [worker] }));
    const lines = diff?.hunks.flat().filter(({ kind }) => kind !== "around");
    expect(lines?.map(({ kind, text }) => `${MARKS[kind]}${text}`)).toEqual([
      "-  - content: (not shown)",
      "+  - content: (changed)",
      "-  - content: (sensitive)",
      "+  - content: (sensitive, changed)",
    ]);
  });

  test("need a declared template, and a label that can be read", () => {
    const unreadable = buildWorker({ labels: { template: "{" }, differences });
    expect(templateDiffs(buildGroupPlan({ desired: undefined, workers: [old(1, one)] }))).toEqual(
      [],
    );
    expect(templateDiffs(buildGroupPlan({ workers: [unreadable] }))).toEqual([]);
  });
});
