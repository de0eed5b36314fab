// `wgctl import`: services of a compose file as manifests, on standard output or as new files. Overwrites nothing,
// and neither needs nor changes an engine.

import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { EXIT } from "../../app/verdict.ts";
import { readSource } from "../../config/files.ts";
import { findProject } from "../../config/find-project.ts";
import { readImage } from "../../config/forms/names.ts";
import { listed } from "../../config/import/draft.ts";
import { type ImportResult, importCompose } from "../../config/import/import.ts";
import { WgctlError } from "../../core/errors.ts";
import { errnoOf } from "../../store/errno.ts";
import { makeFolders } from "../../store/folders.ts";
import { renderImport } from "../../view/import-text.ts";
import { type Host, openHost, readLine, showProblems } from "../host.ts";
import { workingFolder } from "../open.ts";
import type { OutputOptions } from "../options.ts";

export type ImportOptions = OutputOptions & {
  readonly service: readonly string[];
  readonly image: readonly string[];
  readonly out?: string;
  readonly projectName?: string;
  /** False: copies stay groups of their own. */
  readonly group: boolean;
};

type Images = Readonly<Record<string, string>>;
type Import = (images: Images) => ImportResult;

const DEFAULT_FILES = ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"];
const SCHEMA = "wgctl.schema.json";

export async function importCommand(file: string, options: ImportOptions): Promise<number> {
  const host = openHost(options);
  const cwd = workingFolder();
  const folder = resolve(cwd, options.out ?? ".");
  const project = findProject(folder);
  const run: Import = (images) =>
    importCompose({
      path: findComposeFile(resolve(cwd, file)),
      services: options.service,
      images,
      projectName: options.projectName,
      shellProjectName: process.env["COMPOSE_PROJECT_NAME"],
      folder,
      cwd,
      grouped: options.group,
      schema: findSchema(folder, project),
      makeUid: randomUUID,
      read: (path) => readSource(path, cwd),
      exists: existsSync,
    });
  const result = await withImages(run, readImages(options.image), host);
  if (options.out !== undefined) await writeAll(result, folder, options.out, host);
  else host.streams.out(result.groups.map(({ text }) => text).join("---\n"));
  showProblems(host, result.problems);
  if (!options.quiet) host.streams.err(renderImport(reportOf(result, project), host.errPaint));
  requireSome(result);
  return result.problems.length === 0 ? EXIT.done : EXIT.userMustAct;
}

/** The file itself, or the one in a folder that Compose would take. */
function findComposeFile(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const found = DEFAULT_FILES.map((name) => join(path, name)).find((one) => existsSync(one));
  return found ?? join(path, "compose.yaml");
}

function findSchema(folder: string, project: string | undefined): string | undefined {
  const path = join(project === undefined ? folder : dirname(project), SCHEMA);
  return existsSync(path) ? relative(folder, path) : undefined;
}

/** `SERVICE=REFERENCE`, each checked. */
function readImages(given: readonly string[]): Images {
  return Object.fromEntries(
    given.map((text) => {
      const [service = "", ...rest] = text.split("=");
      const image = readImage(rest.join("="));
      if (service === "" || rest.length === 0 || !image.ok)
        throw new WgctlError("bad-usage", `--image "${text}" names no image of a service`, {
          hint: "write it as SERVICE=REFERENCE, worker=registry.example/app:1.2",
        });
      return [service, image.value] as const;
    }),
  );
}

/** Asks a person for the images that are missing, and imports once more with them. */
async function withImages(run: Import, given: Images, host: Host): Promise<ImportResult> {
  const result = run(given);
  if (!host.streams.inIsTerminal || result.imageless.length === 0) return result;
  const images: Record<string, string> = { ...given };
  for (const service of result.imageless) {
    const image = await askImage(service, host);
    if (image !== undefined) images[service] = image;
  }
  return run(images);
}

/** An empty answer is none; one that is no reference is asked for again. */
async function askImage(service: string, { streams }: Host): Promise<string | undefined> {
  for (;;) {
    streams.err(`image of ${service}, which Compose builds (empty: leave it out): `);
    const answer = (await readLine(new AbortController().signal))?.trim();
    if (answer === undefined || answer === "") return undefined;
    const image = readImage(answer);
    if (image.ok) return image.value;
    streams.err(`${JSON.stringify(answer)} ${image.message}\n`);
  }
}

/** Writes nothing where one of the files is there already. */
async function writeAll(
  { groups }: ImportResult,
  folder: string,
  shown: string,
  { streams }: Host,
): Promise<void> {
  const files = groups.map(({ name, text }) => ({ name: `${name}.yaml`, text }));
  const taken = files.filter(({ name }) => existsSync(join(folder, name)));
  if (taken.length > 0) {
    const names = listed(taken.map(({ name }) => join(shown, name)));
    throw new WgctlError("refused", `${names} ${taken.length === 1 ? "exists" : "exist"} already`, {
      hint: "import never overwrites; remove the file, or write into another folder with --out",
    });
  }
  for (const { name, text } of files) {
    await writeNew(join(folder, name), text);
    streams.out(`wrote ${join(shown, name)}\n`);
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await makeFolders(dirname(path));
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === undefined) throw cause;
    throw new WgctlError("refused", `${path} cannot be written: ${code}`, { cause });
  }
}

function reportOf(result: ImportResult, project: string | undefined): ImportResult {
  if (project !== undefined || result.groups.length === 0) return result;
  const init = "there is no wgctl.yaml here or above it: `wgctl init` writes one";
  return { ...result, words: [...result.words, init] };
}

function requireSome({ groups, problems, leftOut }: ImportResult): void {
  if (groups.length + problems.length > 0) return;
  const names = leftOut.map(({ service }) => service).join(", ");
  throw new WgctlError("refused", `no service looks like a worker: ${names}`, {
    hint: "name those that are with --service",
  });
}
