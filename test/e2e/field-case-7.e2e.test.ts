// Field case 7, the half about secrets: one rotates, the worker is rolled, and neither value is ever seen.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OPTIONS, openPlanted } from "./planted.ts";
import { idsOf, type Stage } from "./stage.ts";

describe("field case 7: a secret rotates", () => {
  it.each<[string, string, string]>([
    ["env_file", "groups/mailer.env", "env_file plain"],
    [".env", ".env", ".env WHOLE"],
  ])(
    "in %s: the variable changed, the worker is rolled, no value is seen",
    async (_, file, place) => {
      const { stage, secrets } = await openPlanted();
      await secrets.run(0, ["apply", ...OPTIONS]);
      const before = idsOf(await stage.workers());
      await edit(stage, file, secrets.of(place), secrets.of(`new ${place}`));
      for (const format of ["wide", "json"]) {
        const { stdout } = await secrets.run(0, ["plan", ...OPTIONS, "-o", format, "-v"]);
        expect(stdout).toMatch(/template-changed/);
        expect(stdout).toMatch(/environment\.(PLAIN|A)\b/);
      }
      const { stdout } = await secrets.run(2, ["plan", ...OPTIONS, "--detailed-exitcode"]);
      expect(stdout).toMatch(/\+ +(PLAIN|A): \(sensitive, changed\)/);
      await secrets.run(0, ["apply", ...OPTIONS, "-v"]);
      expect(idsOf(await stage.workers())).not.toEqual(before);
      await secrets.run(0, ["plan", ...OPTIONS, "--detailed-exitcode"]);
      expect(await secrets.missing()).toEqual([place]);
      expect(await secrets.leaks()).toEqual([]);
    },
  );

  it.each([
    ["a secret file", "groups/key.txt", "secret file", "secrets\\[/run/secrets/key\\]"],
    ["a config file", "groups/app.conf", "config file", "configs\\[/app\\]"],
  ])("in %s: the file changed, and no digest is seen either", async (_, file, place, path) => {
    const { stage, secrets } = await openPlanted();
    await secrets.run(0, ["apply", ...OPTIONS]);
    const before = idsOf(await stage.workers());
    await edit(stage, file, secrets.of(place), secrets.of(`new ${place}`));
    for (const format of ["text", "wide", "json", "yaml"]) {
      const { stdout } = await secrets.run(0, ["plan", ...OPTIONS, "-o", format, "-v"]);
      expect(stdout).toMatch(/file-changed/);
      expect(stdout).toMatch(new RegExp(path));
      expect(stdout).not.toMatch(/(sealed|digest):[0-9a-f]/);
    }
    await secrets.run(0, ["apply", ...OPTIONS, "-v"]);
    expect(idsOf(await stage.workers())).not.toEqual(before);
    await secrets.run(0, ["plan", ...OPTIONS, "--detailed-exitcode"]);
    await secrets.run(0, ["history"]);
    expect(await secrets.missing()).toEqual([place]);
    expect(await secrets.leaks()).toEqual([]);
  });

  it("a comment of an env_file is edited: nothing rolls", async () => {
    const { stage, secrets } = await openPlanted();
    await secrets.run(0, ["apply", ...OPTIONS]);
    await edit(stage, "groups/mailer.env", "# PLAIN=old", "# of last year: PLAIN=older");
    await edit(stage, "groups/mailer.env", "# not this", "");
    await secrets.run(0, ["plan", ...OPTIONS, "--detailed-exitcode"]);
  });

  it("that a start had been refused with: the worker's error does not tell the old one", async () => {
    const { stage, secrets } = await openPlanted({
      template: { entrypoint: `["/no/such/\${ENTRY}"]` },
    });
    await secrets.run(1, ["apply", ...OPTIONS, "--once"]);
    await edit(stage, ".env", secrets.of(".env ENTRY"), secrets.of("new .env ENTRY"));
    const { stdout } = await secrets.run(0, ["status", ...OPTIONS, "-o", "json"]);
    expect(stdout).toContain("the engine's words are not shown");
    for (const format of ["wide", "json"])
      await secrets.run(0, ["plan", ...OPTIONS, "-o", format, "-v"]);
    await secrets.run(1, ["apply", ...OPTIONS, "--once", "-v"]);
    expect(await secrets.leaks()).toEqual([]);
  });
});

async function edit(stage: Stage, file: string, from: string, to: string): Promise<void> {
  const path = join(stage.folder, file);
  const text = await readFile(path, "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  await writeFile(path, text.replaceAll(from, to));
}
