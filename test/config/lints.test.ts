// Lints: what each says and where, what it leaves alone, and how it is silenced.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { namedTimeout } from "../../src/config/lints/command-timeout.ts";
import { lintNames } from "../../src/config/lints/lint-group.ts";
import type { Problem } from "../../src/core/model.ts";
import { folderWith, loadIn, loadText, manifest } from "./manifests.ts";

const GRACE = "stop_grace_period: 45s";

/** Each finding as `lint line:column message`. */
const shown = (problems: readonly Problem[]) =>
  problems.map(
    ({ lint, place, message }) => `${lint ?? "-"} ${place.line}:${place.column} ${message}`,
  );

async function advised(text: string): Promise<readonly Problem[]> {
  const cwd = folderWith({ "a.yaml": text });
  return (await loadIn(cwd, { advice: true })).problems;
}

/** Names of the lints that find something. */
const names = async (template: string, spec = "replicas: 2", metadata = "") =>
  (await advised(manifest(`${GRACE}\n${template}`, { spec, metadata }))).map(({ lint }) => lint);

describe("default-grace", () => {
  test("says what happens, at the template", async () => {
    const problems = await advised(manifest(""));
    expect(shown(problems)).toEqual([
      "default-grace 8:3 stop_grace_period is not set, so a job that takes longer than 10s is cut off",
    ]);
    expect(problems[0]).toMatchObject({
      severity: "warning",
      path: "spec.template.stop_grace_period",
    });
  });

  test.each([
    ["with a grace", "stop_grace_period: 45s"],
    ["with the default written down", "stop_grace_period: 10s"],
    ["with none at all", "stop_grace_period: 0s"],
    ["for a worker that is killed outright", "stop_signal: KILL"],
  ])("nothing %s", async (_, template) => {
    expect(await advised(manifest(template))).toEqual([]);
  });
});

describe("shared-volume", () => {
  test("says which, in its place", async () => {
    const text = manifest(`${GRACE}\nvolumes:\n  - ./in:/in:ro\n  - ./out:/out\n  - cache:/cache`, {
      spec: "replicas: 3",
    });
    expect(shown(await advised(text))).toEqual([
      "shared-volume 13:9 3 workers write to the same folder ./out",
      "shared-volume 14:9 3 workers write to the same volume cache",
    ]);
  });

  test.each([
    ["the slot is in it", "['data-{{.Task.Slot}}:/data']", 2, false],
    ["another word of the worker is in it", "['data-{{.Task.ID}}:/data']", 2, false],
    ["only the group is in it", "['{{.Service.Name}}-data:/data']", 2, true],
    ["it is read-only", "[{type: volume, source: data, target: /d, read_only: true}]", 2, false],
    ["it goes with the worker", "['/data']", 2, false],
    ["it is in memory", "[{type: tmpfs, target: /d}]", 2, false],
    ["it is the engine's socket", "['/var/run/docker.sock:/var/run/docker.sock']", 2, false],
    ["it is a device", "['/dev/dri:/dev/dri']", 2, false],
    ["it only looks like a device", "['/devices:/d']", 2, true],
    ["there is one worker", "['data:/data']", 1, false],
  ])("where %s", async (_, volumes, replicas, isFound) => {
    const found = await names(`volumes: ${volumes}`, `replicas: ${replicas}`);
    expect(found).toEqual(isFound ? ["shared-volume"] : []);
  });
});

describe("left-for-good", () => {
  test("says which end, in its place", async () => {
    const spec = "replicas: 2\nonExit: {success: Leave, failure: Leave}";
    const found = shown(await advised(manifest(GRACE, { spec })));
    expect(found).toEqual([
      expect.stringMatching(/^left-for-good \d+:\d+ .* ends well it stays down for good/),
      expect.stringMatching(/^left-for-good \d+:\d+ .* ends in failure it stays down for good/),
    ]);
  });

  test.each([
    ["another onExit", "", "{success: Recreate, failure: Restart}", []],
    ["a failure that is tried again", "restart: on-failure", "{failure: Leave}", []],
    ["a policy that says so", "restart: 'no'", "{success: Leave}", []],
    ["no policy", "", "{success: Leave, failure: Recreate}", ["left-for-good"]],
  ])("with %s", async (_, template, onExit, found) => {
    expect(await names(template, `replicas: 2\nonExit: ${onExit}`)).toEqual(found);
  });
});

describe("health checks", () => {
  const check = (rest: string) => `healthcheck: {test: "true"${rest}}`;
  const spec = (rollout: string) => `replicas: 2\nrollout: {${rollout}}`;

  test.each<[string, string, string | undefined]>([
    [", interval: 10s, retries: 3", "minReadySeconds: 29", "blind-health-check"],
    [", interval: 10s, retries: 3", "minReadySeconds: 30", undefined],
    [", interval: 10s, retries: 3", "minReadySeconds: 0", undefined],
    [", interval: 10s, retries: 3", "", undefined],
    ["", "minReadySeconds: 89", "blind-health-check"],
    ["", "minReadySeconds: 90", undefined],
    [", interval: 5m", "", "late-health-check"],
    [", interval: 5m", "healthyDeadlineSeconds: 301", undefined],
    [", interval: 5m, start_period: 10s", "", undefined],
    ["", "healthyDeadlineSeconds: 30", "late-health-check"],
    [", interval: 29s", "healthyDeadlineSeconds: 30", undefined],
  ])("%s with {%s}", async (rest, rollout, lint) => {
    expect(await names(check(rest), spec(rollout))).toEqual(lint === undefined ? [] : [lint]);
  });

  test.each([
    ["without a test of its own", ""],
    ["with the test taken away", "healthcheck: {disable: true}"],
  ])("nothing %s", async (_, template) => {
    expect(await names(template, spec("minReadySeconds: 1"))).toEqual([]);
  });

  test("say the numbers", async () => {
    const text = (rest: string, rollout: string) =>
      manifest(`${GRACE}\n${check(rest)}`, { spec: spec(rollout) });
    expect(shown(await advised(text(", interval: 4s", "minReadySeconds: 5")))).toEqual([
      "blind-health-check 8:30 minReadySeconds is over before a healthy worker can be found unhealthy, which takes 12s (interval x retries)",
    ]);
    expect(shown(await advised(text(", interval: 1h", "")))).toEqual([
      "late-health-check 12:43 the first test comes 3600s after the start, and a worker must be healthy within 300s (healthyDeadlineSeconds)",
    ]);
  });
});

describe("short-grace", () => {
  test("says which option, in every run", async () => {
    const text = manifest(`${GRACE}\ncommand: bundle exec sidekiq -t 60`);
    const { problems } = await loadText(text);
    expect(shown(problems)).toEqual([
      "short-grace 11:14 sidekiq has up to 60s to end its work (-t), and is killed after 45s",
    ]);
  });

  test.each([
    ["just enough", `${GRACE}\ncommand: [sidekiq, -t, "45"]`, false],
    ["too little", `${GRACE}\ncommand: [sidekiq, -t, "46"]`, true],
    ["the default", `command: [sidekiq, -t, "25"]`, true],
    ["less than the default", `command: [sidekiq, -t, "8"]`, false],
    ["killed outright", `command: [sidekiq, -t, "25"]\nstop_signal: KILL`, false],
    ["by way of the entrypoint", `entrypoint: [sidekiq]\ncommand: [-t, "25"]`, true],
    ["from a variable, which must not be shown", `command: "sidekiq -t $T"`, false],
    ["from one in the entrypoint", `entrypoint: "sidekiq -t $T"\ncommand: [-v]`, false],
  ])("%s", async (_, template, isFound) => {
    const cwd = folderWith({ "a.yaml": manifest(template), ".env": "T=250\n" });
    const { problems } = await loadIn(cwd);
    expect(problems.map(({ lint }) => lint)).toEqual(isFound ? ["short-grace"] : []);
    expect(JSON.stringify(problems)).not.toContain("250");
  });

  test.each<[string, string | undefined]>([
    ["sidekiq -t 60", "sidekiq -t 60"],
    ["/usr/local/bin/sidekiq --timeout=60", "sidekiq --timeout 60"],
    ["bundle exec sidekiq -C a.yml -t 60 -t 70", "sidekiq -t 70"],
    ["tini -- celery -A app worker --time-limit=300", "celery --time-limit 300"],
    ["python -m celery -A app worker --time-limit 300", "celery --time-limit 300"],
    ["celery -A app beat --time-limit=300", undefined],
    ["celery -A app worker --soft-time-limit=300", undefined],
    ["php artisan queue:work redis --timeout=60", "artisan --timeout 60"],
    ["php artisan schedule:work --timeout=60", undefined],
    ["php bin/console messenger:consume async --time-limit=3600", undefined],
    ["gunicorn app:app --graceful-timeout 120", "gunicorn --graceful-timeout 120"],
    ["gunicorn app:app --timeout 120", undefined],
    ["uvicorn app:app --timeout-graceful-shutdown 30", "uvicorn --timeout-graceful-shutdown 30"],
    ["sidekiq -t", undefined],
    ["sidekiq -t {{.Task.Slot}}", undefined],
    ["sidekiq --timeouts=60", undefined],
    ["run.sh sidekiq -t 60", undefined],
    ["python run.py --backend celery worker --time-limit 300", undefined],
    ["toString -t 60", undefined],
    ["sh", undefined],
    ["", undefined],
  ])("%s", (words, expected) => {
    const found = namedTimeout(words.split(" "));
    const text = found && `${found.program} ${found.option} ${found.seconds}`;
    expect(text).toBe(expected);
  });
});

describe("silence", () => {
  const noisy = "volumes: ['data:/data']\ncommand: [sidekiq, -t, '60']";
  const ignoring = (text: string) => `annotations: {wgctl.dev/ignore: "${text}"}`;

  test.each([
    ["", ["short-grace", "shared-volume"]],
    ["shared-volume", ["short-grace"]],
    ["shared-volume, short-grace", []],
    ["short-grace shared-volume ", []],
  ])("by the annotation %j", async (text, expected) => {
    const found = await names(noisy, "replicas: 2", ignoring(text));
    expect([...found].sort()).toEqual([...expected].sort());
  });

  test("a name that no lint has is told in every run", async () => {
    const { problems } = await loadText(
      manifest(GRACE, { metadata: ignoring("short-grace, shared-volumes") }),
    );
    expect(shown(problems)).toEqual(['- 6:35 there is no lint "shared-volumes" to ignore']);
    expect(problems[0]).toMatchObject({
      severity: "warning",
      hint: 'did you mean "shared-volume"?',
    });
  });
});

test("advice is given only where it is asked for", async () => {
  const text = manifest("volumes: ['data:/data']", { spec: "replicas: 2" });
  const { problems, groups } = await loadText(text);
  expect(problems).toEqual([]);
  expect(groups.map(({ kind }) => kind)).toEqual(["valid"]);
});

test("advice waits until nothing is wrong, what goes wrong anyway does not", async () => {
  const good = manifest("volumes: ['data:/data']\ncommand: [sidekiq, -t, '60']", {
    spec: "replicas: 2",
  });
  const cwd = folderWith({ "a.yaml": good, "b.yaml": "kind: WorkerGroup\n" });
  const { problems } = await loadIn(cwd, { advice: true });
  const lints = problems.flatMap(({ lint }) => lint ?? []);
  expect(lints).toEqual(["short-grace"]);
});

test("a group that lints warn of is valid", async () => {
  const { groups } = await loadText(manifest("command: [sidekiq, -t, '60']"));
  expect(groups.map(({ kind }) => kind)).toEqual(["valid"]);
});

const root = join(import.meta.dirname, "../..");

test("what this repository shows and makes needs no advice", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, example = ""] = /```yaml\n([^`]*)```/.exec(readme) ?? [];
  expect(await advised(example)).toEqual([]);
  const { problems } = await loadIn(join(root, "fixtures/groups"), { advice: true });
  expect(shown(problems)).toEqual([]);
});

test("every lint stands on the page of manifests", () => {
  const page = readFileSync(join(root, "docs/manifests.md"), "utf8");
  expect(lintNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
