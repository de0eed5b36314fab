// The demo where no engine can be had: the same story, checked act by act, on the simulated engine.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { chooseEngine } from "../../scripts/demo/choose-engine.mjs";
import { cleanEnvironment, ROOT } from "../../scripts/lib/process.mjs";

const run = promisify(execFile);

it("tells the whole story on the simulated engine, every step checked", {
  timeout: 60_000,
}, async () => {
  const { stdout } = await run(process.execPath, ["scripts/demo.mjs", "--simulated"], {
    cwd: ROOT,
    env: cleanEnvironment({ DOCKER_HOST: "unix:///nonexistent/docker.sock" }),
  });
  const checked = stdout.split("\n").filter((line) => line.startsWith("# checked: "));
  expect(checked.map((line) => line.replace(/in \d+ looks|example-2-\w+/, "X"))).toEqual([
    "# checked: planning made nothing",
    "# checked: two workers run",
    "# checked: the engine saw no event",
    "# checked: the status file was not touched",
    "# checked: four workers run",
    "# checked: X runs again under its name",
    "# checked: as another container",
    expect.stringMatching(/^# checked: X from outside at least 3 of 4 ran and at most 4 existed$/),
    "# checked: the four from before run, the same containers",
    "# checked: four workers, and nothing else, are there",
    "# checked: no worker is left",
  ]);
  expect(stdout).toContain("NOTICE: a simulated engine was asked for.");
  expect(stdout).toContain("Nothing is left behind.");
});

describe("the engine of the demo", () => {
  const choose = async (isSimulated: boolean, ensure: () => Promise<never>) => {
    const told: string[] = [];
    const tell = (text: string) => void told.push(text);
    const engine = await chooseEngine({ isSimulated, home: "/nowhere", ensure, tell });
    return { engine, told: told.join("") };
  };

  it("is the simulated one where none can be had, and that is said with the reason", async () => {
    const ensure = () => Promise.reject(new Error("no engine: nothing answers"));
    const { engine, told } = await choose(false, ensure);
    expect(engine.environment).toEqual({ WGCTL_ENGINE: "simulated" });
    expect(told).toMatch(/^NOTICE: no engine: nothing answers\n.*no container is real/);
  });

  it("is not looked for where the simulated one was asked for", async () => {
    const ensure = () => Promise.reject(new Error("looked for an engine"));
    expect((await choose(true, ensure)).told).not.toContain("looked for");
  });

  it("is the real one where there is one, and nothing is said", async () => {
    const told: string[] = [];
    const engine = await chooseEngine({
      isSimulated: false,
      home: "/nowhere",
      ensure: async () => ({ host: "unix:///x", state: undefined, stop: async () => undefined }),
      tell: (text) => void told.push(text),
    });
    expect(engine.environment).toEqual({ DOCKER_HOST: "unix:///x" });
    expect(told).toEqual([]);
  });
});
