// Placeholders in real containers: every place that may hold one, and each worker with its own.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { callApi } from "../../scripts/lib/docker-api.mjs";
import { RUN_LABEL, testHost } from "../support/engine.ts";
import { inspect } from "./inspected.ts";
import { openStage, Stage, slotOf } from "./stage.ts";

describe("placeholders", () => {
  it("are each worker's own in environment, command, labels, volumes, host ports and hostname", async () => {
    const stage = new Stage();
    onTestFinished(() => removeVolumes(stage, [1, 2])); // after the workers
    onTestFinished(() => stage.close());
    await mkdir(join(stage.folder, "groups/env"));
    await writeFile(join(stage.folder, "groups/env/a.env"), "FROM_FILE={{.Service.Name}}\n");
    const workers = await stage.converge({ replicas: 2, template: TEMPLATE(stage) });
    for (const { id, name, labels } of workers) {
      const slot = slotOf({ labels });
      const task = labels["dev.wgctl.task-id"];
      const { Config, Mounts, HostConfig } = await inspect(id);
      expect(Config.Env).toEqual(
        expect.arrayContaining([
          `ALL=${slot} ${stage.group} ${stage.uid} ${task} ${name}`,
          "LITERAL={{.Task.Slot}}",
          `FROM_FILE=${stage.group}`,
          `WGCTL_SLOT=${slot}`,
          `WGCTL_GROUP=${stage.group}`,
          `WGCTL_TASK_ID=${task}`,
        ]),
      );
      expect(Config.Cmd).toEqual(["worker", `--name=${name}`, `of ${stage.group}`]);
      expect(Config.Labels).toMatchObject({ "at.slot": `${slot}/${task}` });
      expect(Config.Hostname).toBe(`w-${slot}`);
      expect(Mounts.map(({ Name, Source }) => Name ?? Source).sort()).toEqual([
        join(stage.folder, `groups/data-${slot}`),
        `wgctl-${stage.run}-${slot}`,
      ]);
      expect(HostConfig.PortBindings).toEqual({
        "80/tcp": [{ HostIp: "127.0.0.1", HostPort: `1807${slot}` }],
      });
    }
    expect(new Set(workers.map(({ labels }) => labels["dev.wgctl.task-id"])).size).toBe(2);
    await stage.expectNothingToDo();
  });

  const TEMPLATE = (stage: Stage) => ({
    environment: {
      ALL: "{{.Task.Slot}} {{.Service.Name}} {{.Service.ID}} {{.Task.ID}} {{ .Task.Name }}",
      LITERAL: '{{"{{"}}.Task.Slot}}',
    },
    env_file: "env/a.env",
    command: 'worker --name={{.Task.Name}} "of {{ .Service.Name }}"',
    labels: { [RUN_LABEL]: stage.run, "at.slot": "{{.Task.Slot}}/{{.Task.ID}}" },
    hostname: "w-{{.Task.Slot}}",
    volumes: [`wgctl-${stage.run}-{{.Task.Slot}}:/data`, "./data-{{.Task.Slot}}:/own"],
    ports: ["127.0.0.1:1807{{.Task.Slot}}:80"],
  });

  async function removeVolumes(stage: Stage, slots: readonly number[]): Promise<void> {
    for (const slot of slots)
      await callApi(testHost(), "DELETE", `/volumes/wgctl-${stage.run}-${slot}`);
  }

  it.each([
    ["unknown", { environment: { A: "{{.Task.Slots}}" } }, "did you mean {{.Task.Slot}}?"],
    ["where none is filled in", { image: "a:{{.Task.Slot}}" }, "they work in environment, command"],
  ])("that are %s are errors in their place", async (_, template, hint) => {
    const stage = openStage();
    await stage.declare({ template });
    const { stdout } = await stage.expectExit(3, ["validate", "-o", "json"]);
    expect(JSON.parse(stdout).problems).toMatchObject([
      { file: "groups/mailer.yaml", hint: expect.stringContaining(hint) },
    ]);
  });
});
