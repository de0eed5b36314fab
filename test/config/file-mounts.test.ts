// Secrets and configs from files: where workers see them, what of them is in what is loaded, and what is wrong with them.

import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, loadIn, manifest } from "./manifests.ts";
import { problemsText } from "./problem-text.ts";

type Files = Readonly<Record<string, string>>;

const DECLARED = `secrets: {key: {file: ./key.txt}, other: {file: ../other.txt}}
configs: {app: {file: app.toml}, "v1.2_b-c": {file: ./sub/b.toml}}
replicas: 1`;

const FILES: Files = {
  "groups/key.txt": "hunter2\n",
  "other.txt": "swordfish",
  "groups/app.toml": "port = 8080\n",
  "groups/sub/b.toml": "",
};

async function load(template: string, { spec = DECLARED, files = FILES, uid = UID } = {}) {
  const cwd = folderWith({ ...files, "groups/a.yaml": manifest(template, { spec, uid }) });
  const loaded = await loadIn(cwd, { files: ["groups/a.yaml"] });
  const [group] = loaded.groups;
  const mounted = group?.kind === "valid" ? group.spec.template : undefined;
  return { ...loaded, cwd, group, template: mounted, text: problemsText(loaded.problems) };
}

const UID = "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11";
const SEAL = /^sealed:[0-9a-f]{32}$/;
const DIGEST = /^digest:[0-9a-f]{32}$/;

describe("where workers see them, as with Compose", () => {
  test.each([
    ["secrets: [key]", "/run/secrets/key"],
    ["secrets: [{source: key}]", "/run/secrets/key"],
    ["secrets: [{source: key, target: }]", "/run/secrets/key"],
    ["secrets: [{source: key, target: password}]", "/run/secrets/password"],
    ["secrets: [{source: key, target: a/b}]", "/run/secrets/a/b"],
    ["secrets: [{source: key, target: ../b/}]", "/run/b"],
    ["secrets: [{source: key, target: /etc//app/key}]", "/etc/app/key"],
    ["configs: [app]", "/app"],
    ["configs: [v1.2_b-c]", "/v1.2_b-c"],
    ["configs: [{source: app, target: app.toml}]", "/app.toml"],
    ["configs: [{source: app, target: /etc/app.toml}]", "/etc/app.toml"],
  ])("%s: %s", async (yaml, target) => {
    const { template, text } = await load(yaml);
    expect(text).toBe("");
    const mounts = [...(template?.secrets ?? []), ...(template?.configs ?? [])];
    expect(mounts.map((mount) => mount.target)).toEqual([target]);
  });
});

describe("in the template", () => {
  test("a file is its absolute path, its target and a digest", async () => {
    const { template, cwd } = await load("secrets: [other]\nconfigs: [app]");
    expect(template).toEqual({
      image: "busybox:1.36",
      secrets: [
        {
          file: join(cwd, "other.txt"),
          target: "/run/secrets/other",
          content: expect.stringMatching(SEAL),
        },
      ],
      configs: [
        {
          file: join(cwd, "groups/app.toml"),
          target: "/app",
          content: expect.stringMatching(DIGEST),
        },
      ],
    });
  });

  test("their order means nothing, and nobody has an empty list of them", async () => {
    const one = await load("secrets: [key, other]");
    const other = await load("secrets: [other, key]");
    const targets = ["/run/secrets/key", "/run/secrets/other"];
    for (const { template } of [one, other])
      expect(template?.secrets?.map(({ target }) => target)).toEqual(targets);
    const { template } = await load("secrets: []\nconfigs:", { spec: "secrets:\nreplicas: 1" });
    expect(template).toEqual({ image: "busybox:1.36" });
  });

  test("~ is the home, and variables are filled in", async () => {
    const folder = folderWith({ "x.txt": "x" });
    const spec = `secrets: {a: {file: "\${PLACE}/x.txt"}, b: {file: ~/none-such}}\nreplicas: 1`;
    const files = { ".env": `PLACE=${folder}\n` };
    const { text } = await load("secrets: [a, b]", { spec, files });
    expect(text).toContain(`${homedir()}/none-such: no such file`);
    expect(text).not.toContain("x.txt: no such");
  });

  const contentOf = async (text: string, field: "secrets" | "configs", uid = UID) => {
    const files = { ...FILES, "groups/key.txt": text, "groups/app.toml": text };
    const { template } = await load("secrets: [key]\nconfigs: [app]", { files, uid });
    return template?.[field]?.[0]?.content;
  };

  test.each(["secrets", "configs"] as const)(
    "%s: equal contents have equal digests, in one group and no other",
    async (field) => {
      expect(await contentOf("a", field)).toBe(await contentOf("a", field));
      expect(await contentOf("a", field)).not.toBe(await contentOf("a\n", field));
      const elsewhere = "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a12";
      expect(await contentOf("a", field)).not.toBe(await contentOf("a", field, elsewhere));
    },
  );
});

describe("what is in them", () => {
  test("is nowhere in what is loaded", async () => {
    const { groups, problems } = await load("secrets: [key, other]\nconfigs: [app]");
    const loaded = JSON.stringify({ groups, problems });
    for (const text of ["hunter2", "swordfish", "8080"]) expect(loaded).not.toContain(text);
  });

  test("is hidden in other people's words if it is secret", async () => {
    const { group } = await load("secrets: [key]\nconfigs: [app]\nenvironment: {A: $X}", {
      files: { ...FILES, ".env": "X=opensesame\n" },
    });
    const secrets = group?.kind === "valid" ? group.secrets : undefined;
    expect(secrets?.hide("hunter2 and opensesame at port = 8080")).toBe(
      "(sensitive) and (sensitive) at port = 8080",
    );
  });

  test("is no secret where only configs are used, so that such a reading may be kept", async () => {
    const { group } = await load("configs: [app]");
    expect(group).not.toHaveProperty("secrets");
  });

  test.each([
    ["what is no text", Uint8Array.of(0xff, 0xfe, 0x00)],
    ["what is long", Buffer.from("password\n".repeat(5_000))],
  ])("%s counts and hides nothing", async (_, bytes) => {
    const { cwd } = await load("secrets: [key]");
    writeFileSync(join(cwd, "groups/key.txt"), bytes);
    const { groups, problems } = await loadIn(cwd, { files: ["groups/a.yaml"] });
    expect(problems).toEqual([]);
    const [group] = groups;
    const secrets = group?.kind === "valid" ? group.secrets : undefined;
    expect(secrets?.hide("a password may be said")).toBe("a password may be said");
    const [mount] = (group?.kind === "valid" && group.spec.template.secrets) || [];
    expect(secrets?.knows(mount?.content ?? "")).toBe(true);
  });
});

test("declarations of a wrong form are spoken of once, not at each use again", async () => {
  const { problems } = await load("secrets: [key]", { spec: "secrets: [key.txt]\nreplicas: 1" });
  expect(problems.map(({ path }) => path)).toEqual(["spec.secrets"]);
});

describe("a file that cannot be had blocks its group", () => {
  const refused = async (spoil: (path: string) => void) => {
    const { cwd } = await load("secrets: [key]");
    spoil(join(cwd, "groups"));
    const text = `${manifest("secrets: [key]", { spec: DECLARED })}`.replace("key.txt", "it");
    writeFileSync(join(cwd, "groups/a.yaml"), text);
    const { groups, problems, complete } = await loadIn(cwd, { files: ["groups/a.yaml"] });
    expect(groups[0]?.kind).toBe("invalid");
    expect(complete).toBe(true);
    const [problem] = problems;
    expect(problems).toHaveLength(1);
    expect(problem).toMatchObject({ path: "spec.secrets.key.file" });
    return problem?.message;
  };

  test.each<[string, (folder: string) => void, string]>([
    ["missing", () => {}, "no such file or folder"],
    ["a folder", (folder) => mkdirSync(join(folder, "it")), "a folder where a file is needed"],
    ["a device", (folder) => symlinkSync("/dev/zero", join(folder, "it")), "no regular file"],
    [
      "a link to itself",
      (folder) => symlinkSync("it", join(folder, "it")),
      "a symbolic link that leads back to itself",
    ],
    [
      "larger than anything that is read",
      (folder) => {
        writeFileSync(join(folder, "it"), "");
        truncateSync(join(folder, "it"), 16 * 1024 ** 2 + 1);
      },
      "larger than 16 MiB",
    ],
  ])("%s", async (_, spoil, words) => {
    expect(await refused(spoil)).toBe(`groups/it: ${words}`);
  });
});
