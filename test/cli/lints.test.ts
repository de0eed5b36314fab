// Which command says what lints find, and that no exit code changes for it. On a simulated world.

import { expect, it } from "vitest";
import { runCli } from "../support/cli.ts";
import { openStage, type SimulatedStage } from "./simulated-stage.ts";

/** The lint's names in a text, in their order. */
const named = (text: string) => [...text.matchAll(/\[([a-z-]+)\]$/gm)].map(([, name]) => name);

const validate = (stage: SimulatedStage, ...args: string[]) =>
  runCli(["validate", ...args], { cwd: stage.folder });

it("validate says all, with places, and calls the group valid", async () => {
  const stage = openStage();
  await stage.declare();
  const text = `apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata: {name: mailer, uid: 01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11}
spec:
  replicas: 2
  template:
    image: acme/mailer:1
    command: [sidekiq, -t, "60"]
    volumes: [data:/data]
`;
  await stage.write("groups/mailer.yaml", text);
  const { code, stdout } = await validate(stage);
  expect(
    stdout,
  ).toBe(`groups/mailer.yaml:6:3: warning: stop_grace_period is not set, so a job that takes longer than 10s is cut off [default-grace]
  in spec.template.stop_grace_period
    5 |   replicas: 2
  > 6 |   template:
      |   ^^^^^^^^
    7 |     image: acme/mailer:1
  hint: give it the time that a job can take, or write 10s if that is enough

groups/mailer.yaml:8:5: warning: sidekiq has up to 60s to end its work (-t), and is killed after 10s [short-grace]
  in spec.template.command
    7 |     image: acme/mailer:1
  > 8 |     command: [sidekiq, -t, "60"]
      |     ^^^^^^^
    9 |     volumes: [data:/data]
  hint: set stop_grace_period to more than 60s

groups/mailer.yaml:9:15: warning: 2 workers write to the same volume data [shared-volume]
  in spec.template.volumes[0]
     8 |     command: [sidekiq, -t, "60"]
  >  9 |     volumes: [data:/data]
       |               ^^^^^^^^^^
  hint: give each its own ("data-{{.Task.Slot}}:/data"), or make it read-only (:ro)

3 warnings in 1 file
1 group is valid.
`);
  expect(code).toBe(0);
  const { stdout: json } = await validate(stage, "-o", "json");
  const { valid, problems } = JSON.parse(json);
  expect(valid).toBe(true);
  expect(problems.map(({ lint }: { readonly lint: string }) => lint)).toEqual([
    "default-grace",
    "short-grace",
    "shared-volume",
  ]);
});

it("plan and apply say what goes wrong, advise of nothing, and exit as they would without", async () => {
  const stage = openStage();
  const volumes = ["data:/data"];
  await stage.declare({ template: { command: ["sidekiq", "-t", "60"], volumes } });
  for (const args of [["plan"], ["apply", "--yes"], ["plan", "--detailed-exitcode"]]) {
    const { stderr, stdout } = await stage.expectExit(0, args);
    expect(named(stderr)).toEqual(["short-grace"]);
    expect(named(stdout)).toEqual([]);
  }
});

it("advice alone is said by no run, before and after one has read the manifests", async () => {
  const stage = openStage();
  await stage.declare({ template: { volumes: ["data:/data"] } });
  for (const args of [["plan"], ["apply", "--yes"], ["apply", "--yes"], ["plan"]]) {
    const { stderr, stdout } = await stage.expectExit(0, args);
    expect([...named(stderr), ...named(stdout)]).toEqual([]);
  }
  expect(named((await validate(stage)).stdout)).toEqual(["default-grace", "shared-volume"]);
});
