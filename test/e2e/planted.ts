// Secrets planted in every place of a project that can hold one, and the search for them in all that comes out.

import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import type { CliResult } from "../support/cli.ts";
import { execIn, RUN_LABEL, testHost } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { openStage, type Stage } from "./stage.ts";

/** The label of a worker that holds a secret by the user's own wish. */
const SECRET_LABEL = "queue-password";
/** Variables of the shell that the project lists, and that `--env` names. */
const SHELL = ["LISTED", "NAMED"] as const;
/** What is given to every run, so that all variables are there. */
export const OPTIONS = ["--env-file", ".env", "--env-file", "more.env", "--env", "NAMED"] as const;

/** Makes up secrets by the place they are for, and finds them again. */
export class Planted {
  readonly #stage: Stage;
  readonly #secrets = new Map<string, string>();
  readonly #seen: { readonly where: string; readonly text: string }[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** The secret of a place, always the same one; no ids, times or words are like it. */
  of(place: string): string {
    const known = this.#secrets.get(place);
    if (known !== undefined) return known;
    const made = `Zq${randomBytes(12).toString("base64url")}`;
    this.#secrets.set(place, made);
    return made;
  }

  get all(): readonly string[] {
    return [...this.#secrets.values()];
  }

  /** Runs wgctl with everything that variables need, and keeps what it says for the search. */
  async run(
    code: number,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    onStart: (pid: number) => void = () => undefined,
  ): Promise<CliResult> {
    const shell = Object.fromEntries(SHELL.map((name) => [name, this.of(`shell ${name}`)]));
    const result = await this.#stage.expectExit(code, args, { env: { ...shell, ...env }, onStart });
    this.note(args.join(" "), result);
    return result;
  }

  note(where: string, { stdout, stderr }: CliResult): void {
    this.#seen.push({ where: `stdout of ${where}`, text: stdout });
    this.#seen.push({ where: `stderr of ${where}`, text: stderr });
  }

  /** Where any secret, a half of one or its plain digest was printed, stored, or written on a worker by wgctl. */
  async leaks(): Promise<readonly string[]> {
    const seen = [...this.#seen, ...this.#stateFiles(), ...(await this.#ownWords())];
    return [...this.#secrets].flatMap(([place, secret]) =>
      seen.flatMap(({ where, text }) =>
        tracesOf(secret).some((trace) => text.includes(trace)) ? [`${place} in ${where}`] : [],
      ),
    );
  }

  #stateFiles() {
    const folder = join(this.#stage.folder, ".wgctl");
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => ({ where: name, text: readFileSync(join(folder, name), "utf8") }));
  }

  /** Names and labels of the workers, without the label that the user fills with a secret. */
  async #ownWords() {
    const workers = await this.#stage.workers();
    return workers.map(({ name, labels }) => {
      const { [SECRET_LABEL]: _, ...others } = labels;
      return { where: "a worker's name and labels", text: JSON.stringify([name, others]) };
    });
  }

  /** What the engine was given for the worker, by value: every text that holds a secret. */
  async given(): Promise<readonly string[]> {
    const [worker] = await this.#stage.workers();
    const { Config } = await callJson(testHost(), "GET", `/containers/${worker?.id}/json`);
    const { Env, Cmd, Entrypoint, Healthcheck, Labels } = Config;
    const values = Env.map((pair: string) => pair.slice(pair.indexOf("=") + 1));
    const texts = [...values, ...Cmd, ...Entrypoint, ...Healthcheck.Test, Labels[SECRET_LABEL]];
    return texts.filter((text) => this.all.some((secret) => text.includes(secret)));
  }

  /** The places whose secrets did not arrive in the worker, in what it was given or in a file that it sees. */
  async missing(): Promise<readonly string[]> {
    const text = (await this.given()).join("\n");
    const others = [...this.#secrets].filter(([, secret]) => !text.includes(secret));
    const missing: string[] = [];
    for (const [place, secret] of others)
      if (!(await this.#seesInFile(secret))) missing.push(place);
    return missing;
  }

  async #seesInFile(secret: string): Promise<boolean> {
    const [worker] = await this.#stage.workers();
    return (await execIn(worker?.id ?? "", ["grep", "-qF", secret, ...FILES])) === 0;
  }
}

function tracesOf(secret: string): readonly string[] {
  const half = secret.length / 2;
  const digest = createHash("sha256").update(secret).digest("hex");
  return [secret.slice(0, half), secret.slice(half), digest.slice(0, 16)];
}

/** A stage with a planted project on it. */
export async function openPlanted(changes: Changes = {}) {
  const stage = openStage();
  const secrets = new Planted(stage);
  await plant(stage, secrets, changes);
  return { stage, secrets };
}

/** Writes the whole project; `template` lines come last and win. */
export async function plant(stage: Stage, secrets: Planted, changes: Changes = {}): Promise<void> {
  const variable = (name: string) => `${name}=${secrets.of(`.env ${name}`)}`;
  await stage.declare();
  await stage.write("wgctl.yaml", {
    ...{ apiVersion: "wgctl.dev/v1", kind: "Project", spec: { env: ["LISTED"] } },
    metadata: { name: "post", uid: stage.projectUid },
  });
  await stage.write(".env", FROM_DOT_ENV.map((name) => `${variable(name)}\n`).join(""));
  await stage.write("more.env", `MORE="${secrets.of("--env-file")}"\n`);
  await stage.write("groups/mailer.env", changes.envFile ?? envFile(secrets));
  await stage.write("groups/key.txt", `${secrets.of("secret file")}\n`);
  await stage.write("groups/app.conf", `password = ${secrets.of("config file")}\n`);
  await stage.write("groups/mailer.yaml", manifestText(stage, changes));
}

export type Changes = {
  readonly envFile?: string;
  readonly spec?: string;
  /** Fields of the template, one a line, instead of those of the same name. */
  readonly template?: Readonly<Record<string, string>>;
};

const FROM_DOT_ENV =
  "WHOLE INSIDE NESTED LISTED_ITEM KEY WORD TEXT ENTRY CHECK LABEL REFERRED BARE".split(" ");

function manifestText(stage: Stage, { spec = "replicas: 1", template = {} }: Changes): string {
  const fields = { ...templateFields(stage), ...template };
  return `apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata: {name: ${stage.group}, uid: ${stage.uid}}
spec:
  ${spec}
  rollout: {minReadySeconds: 0}
  secrets: {key: {file: key.txt}}
  configs: {app: {file: app.conf}}
  template:
${Object.entries(fields)
  .map(([name, value]) => `    ${name}: ${value}\n`)
  .join("")}`;
}

/** Where the worker sees the files of the project. */
const FILES = ["/run/secrets/key", "/app"] as const;

const STAYS = "trap 'exit 0' TERM; sleep 3600 & wait";

const templateFields = (stage: Stage) => ({
  image: TEST_IMAGE,
  stop_grace_period: "30s",
  entrypoint: `["sh", "-c", "${STAYS}", "\${ENTRY}"]`,
  command: `run --text "in \${TEXT} quotes" --word=\${WORD}-{{.Task.Slot}}`,
  healthcheck: `{test: ["CMD", "true", "\${CHECK}"], interval: 1s}`,
  labels: `{${RUN_LABEL}: ${stage.run}, ${SECRET_LABEL}: "is \${LABEL}"}`,
  secrets: "[key]",
  configs: "[app]",
  env_file: "[mailer.env, {path: none.env, required: false}]",
  environment: `[
      "A=\${WHOLE}",
      "URL=amqp://me:\${INSIDE}@queue/{{.Task.Slot}}",
      "DEFAULT=\${NOT_SET:-\${NESTED}}",
      "\${LISTED_PAIR:-PAIR}=\${LISTED_ITEM}",
      KEY,
      "FROM_MORE=\${MORE}", "FROM_LISTED=\${LISTED}", "FROM_NAMED=\${NAMED}"
    ]`,
});

/** Every way that Compose's grammar has to write a value. */
function envFile(secrets: Planted): string {
  const value = (name: string) => secrets.of(`env_file ${name}`);
  return `# PLAIN=old
PLAIN=${value("plain")}
export EXPORTED=${value("exported")}
SINGLE='a ${value("single")} b'
DOUBLE="c\\t${value("double")}"
SEVERAL="first ${value("first line")}
second ${value("second line")}"
COLON: ${value("colon")}
REFERS=\${REFERRED}-d
ABOVE=$PLAIN-e
COMMENTED=${value("commented")} # not this
BARE
`;
}
