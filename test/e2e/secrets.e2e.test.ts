// Sensitive values reach the workers and nothing else: not the output at any verbosity, not the state folder, not
// names or labels, whatever goes wrong.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RUN_LABEL, removeByHand, runContainer } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { waitFor } from "../support/wait.ts";
import { standBetween } from "./middleman.ts";
import { type Changes, OPTIONS, openPlanted, plant } from "./planted.ts";

const FORMATS = ["text", "wide", "json", "yaml"] as const;

describe("secrets in every place that can hold one", () => {
  it("arrive in the worker and are nowhere else while all goes well", async () => {
    const { stage, secrets } = await openPlanted();
    for (const format of ["text", "json", "yaml"])
      await secrets.run(0, ["validate", ...OPTIONS, "-o", format, "-v"]);
    for (const [turn, format] of FORMATS.entries()) {
      await plant(stage, secrets, {
        spec: `replicas: 1\n  restartNonce: "${Math.floor(turn / 2)}"`,
      });
      await secrets.run(0, ["plan", ...OPTIONS, "-o", format, "-v"]);
      await secrets.run(0, ["apply", ...OPTIONS, "-o", format, "-v", "--verify"]);
      await secrets.run(0, ["status", ...OPTIONS, "-o", format, "-v"]);
    }
    await secrets.run(0, ["history"]);
    for (const args of [["uid"], ["schema"], ["status", ...OPTIONS, "--host", "unix:///none"]])
      await secrets.run(args.includes("--host") ? 1 : 0, args);
    expect(await secrets.missing()).toEqual([]);
    expect(await secrets.leaks()).toEqual([]);
  });

  it("are not in what a second run is told about the first", async () => {
    const changes = { template: { healthcheck: `{test: ["CMD", "false", "\${CHECK}"]}` } };
    const { stage, secrets } = await openPlanted(changes);
    let pid = 0;
    const first = secrets.run(130, ["apply", ...OPTIONS, "-v"], {}, (started) => {
      pid = started;
    });
    await waitFor("the worker", async () => (await stage.workers())[0]?.state === "running");
    const second = await secrets.run(5, ["apply", ...OPTIONS, "-v"]);
    expect(second.stderr).toContain(`pid ${pid}`);
    process.kill(pid, "SIGINT");
    await first;
    expect(await secrets.leaks()).toEqual([]);
  });
});

describe("what goes wrong is told without the values", () => {
  const REFUSED = { template: { entrypoint: `["/no/such/\${ENTRY}"]` } };

  it.each<[string, Changes, number, RegExp]>([
    ["a command that does not exist", REFUSED, 1, /\(sensitive\)\\*":.* no such file/],
    [
      "an image that is nowhere",
      { template: { image: "127.0.0.1:1/no:1" } },
      1,
      /connection refused/,
    ],
    ["a network that is nowhere", { template: { networks: "[none-such]" } }, 1, /none-such/],
    [
      "a variable that is not set",
      { template: { user: `\${NOBODY:?\${WHOLE}}` } },
      3,
      /NOBODY is required/,
    ],
  ])("%s", async (_, changes, code, words) => {
    const { stage, secrets } = await openPlanted();
    for (const format of ["text", "json"]) {
      // another revision, which no back-off holds
      await plant(stage, secrets, { ...changes, spec: `replicas: 1\n  restartNonce: ${format}` });
      const options = [...OPTIONS, "-v", "-o", format];
      const { stdout, stderr } = await secrets.run(code, ["apply", "--once", ...options]);
      expect(stdout + stderr).toMatch(words);
      await secrets.run(code === 3 ? 3 : 0, ["plan", ...options]);
    }
    await secrets.run(0, ["status", ...OPTIONS, "-o", "json"]);
    await secrets.run(0, ["history", "-o", "json"]);
    expect(await secrets.leaks()).toEqual([]);
  });

  it("what the journal keeps of it, too", async () => {
    const { stage, secrets } = await openPlanted(REFUSED);
    await secrets.run(1, ["apply", "--once", ...OPTIONS]);
    const { stdout } = await secrets.run(0, ["history"]);
    expect(stdout).toMatch(/start .*failed: .*\(sensitive\).* no such file/);
    expect(await readFile(join(stage.folder, ".wgctl/journal.ndjson"), "utf8")).toContain(
      "(sensitive)",
    );
    expect(await secrets.leaks()).toEqual([]);
  });

  it("a name that somebody else has", async () => {
    const { stage, secrets } = await openPlanted();
    const planned = await secrets.run(0, ["plan", ...OPTIONS, "-o", "json"]);
    const [action] = JSON.parse(planned.stdout).actions;
    const labels = { [RUN_LABEL]: stage.run };
    await runContainer(action.worker.name, { Image: TEST_IMAGE, Labels: labels });
    const { stdout } = await secrets.run(3, ["apply", ...OPTIONS, "-v"]);
    expect(stdout).toContain(action.worker.name);
    expect(await secrets.leaks()).toEqual([]);
  });

  it("the last words of a worker that tells its secret file", async () => {
    const { stage, secrets } = await openPlanted();
    await secrets.run(0, ["apply", ...OPTIONS]);
    const entrypoint = `["sh", "-c", "echo it says; cat /run/secrets/key; exit 3"]`;
    await plant(stage, secrets, { template: { entrypoint } });
    const { stdout, stderr } = await secrets.run(6, ["apply", ...OPTIONS, "-v"]);
    expect(stdout + stderr).toMatch(/it says\s.*\(sensitive\)/);
    expect(await secrets.leaks()).toEqual([]);
  });

  it("a secret file that has gone", async () => {
    const { stage, secrets } = await openPlanted();
    await secrets.run(0, ["apply", ...OPTIONS]);
    await rm(join(stage.folder, "groups/key.txt"));
    for (const command of ["validate", "plan", "apply"])
      await secrets.run(3, [command, ...OPTIONS, "-o", "json"]);
    await secrets.run(0, ["status", ...OPTIONS, "-o", "json"]);
    expect(await secrets.leaks()).toEqual([]);
  });

  it("lines of an env_file that are wrong", async () => {
    const { stage, secrets } = await openPlanted();
    const value = secrets.of("a wrong line");
    await stage.write(
      "groups/mailer.env",
      [
        `${value} ${value}=1`,
        `=${value}`,
        `A='${value}' ${value}`,
        `B=\${NOT_SET}${value}`,
        `C=\${${value}`,
        `D="${value}`,
      ].join("\n"),
    );
    for (const format of ["text", "json", "yaml"]) {
      const { stdout } = await secrets.run(3, ["validate", ...OPTIONS, "-o", format]);
      expect(stdout.match(/mailer\.env/g)?.length).toBeGreaterThanOrEqual(6);
    }
    await secrets.run(3, ["apply", ...OPTIONS, "-v"]);
    expect(await secrets.leaks()).toEqual([]);
  });

  it("values that are wrong where they stand", async () => {
    const { secrets } = await openPlanted({ spec: `replicas: ${WHOLE}`, template: WRONG });
    for (const format of ["text", "json", "yaml"]) {
      const { stdout } = await secrets.run(3, ["validate", ...OPTIONS, "-o", format]);
      for (const field of Object.keys(WRONG)) expect(stdout).toContain(`spec.template.${field}`);
    }
    expect(await secrets.leaks()).toEqual([]);
  });

  const WHOLE = "$" + "{WHOLE}";
  const WRONG = {
    image: `"${WHOLE} x"`,
    command: `say "${WHOLE}`,
    ports: `["${WHOLE}:80"]`,
    volumes: `["${WHOLE}/x:/y"]`,
    networks: `["${WHOLE}!"]`,
    hostname: `"${WHOLE}!"`,
    user: `"${WHOLE}:${WHOLE}:${WHOLE}"`,
    ...Object.fromEntries(
      ["restart", "stop_signal", "stop_grace_period", "network_mode", "mem_limit", "cpus", "init"]
        .concat("tmpfs", "pull_policy", "working_dir")
        .map((field) => [field, WHOLE]),
    ),
  };
});

describe("an engine that repeats what it was given", () => {
  const CALLS = {
    create: /^POST \S*\/containers\/create/,
    start: /^POST \S*\/containers\/\w+\/start/,
    list: /^GET \S*\/containers\/json/,
    everything: /./,
  };

  it.each([
    {
      at: "create",
      exits: [
        [400, 1],
        [404, 1],
        [500, 1],
        [409, 1], // it may be on its way
      ],
      looks: 0,
    },
    {
      at: "start",
      exits: [
        [400, 1],
        [404, 1],
        [500, 1],
        [409, 1],
      ],
      looks: 0,
    },
    { at: "list", exits: [[500, 1]], looks: 1 },
    {
      at: "everything",
      exits: [
        [400, 1],
        [500, 1],
      ],
      looks: 1,
    },
  ] as const)("at $at is not repeated", async ({ at, exits, looks }) => {
    const { stage, secrets } = await openPlanted();
    await secrets.run(0, ["apply", ...OPTIONS]);
    const message = `bad request: ${(await secrets.given()).join(" ")}`;
    await removeByHand((await stage.workers())[0]?.id ?? "");
    let status = 0;
    const host = await standBetween(async (asked) =>
      CALLS[at].test(asked) ? { status, body: JSON.stringify({ message }) } : undefined,
    );
    const env = { DOCKER_HOST: host };
    for (const [answer, exit] of exits) {
      status = answer;
      const args = [
        "apply",
        ...OPTIONS,
        "--once",
        "-v",
        "-o",
        status % 200 === 0 ? "text" : "json",
      ];
      const { stdout, stderr } = await secrets.run(exit, args, env);
      expect(stdout + stderr).toContain("bad request: (sensitive)");
    }
    for (const command of ["status", "plan"]) await secrets.run(looks, [command, ...OPTIONS], env);
    expect(await secrets.leaks()).toEqual([]);
  });
});
