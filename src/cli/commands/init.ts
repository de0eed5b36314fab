// `wgctl init`: writes a project that can be applied as it is. Never overwrites anything.

import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EXIT } from "../../app/verdict.ts";
import { readDnsLabel, readImage } from "../../config/forms/names.ts";
import type { Reading } from "../../config/forms/reading.ts";
import { initPaths, makeInitFiles, type NewFile } from "../../config/init.ts";
import { WgctlError } from "../../core/errors.ts";
import { errnoOf } from "../../store/errno.ts";
import { makeFolders } from "../../store/folders.ts";
import { openHost } from "../host.ts";
import { workingFolder } from "../open.ts";
import type { OutputOptions } from "../options.ts";

export type InitOptions = OutputOptions & { readonly name?: string; readonly image?: string };

/** Longest name of a project. */
const LONGEST_NAME = 40;

export async function initCommand(folder: string, options: InitOptions): Promise<number> {
  const { streams } = openHost(options);
  const root = resolve(workingFolder(), folder);
  requireGood("--name", options.name, (text) => readDnsLabel(text, LONGEST_NAME));
  requireGood("--image", options.image, readImage);
  const result = makeInitFiles({
    projectName: options.name ?? projectName(root),
    projectUid: randomUUID(),
    groupUid: randomUUID(),
    existing: await readExisting(root),
    ...(options.image === undefined ? {} : { image: options.image }),
  });
  if (result.kind === "taken") {
    const verb = result.paths.length === 1 ? "exists" : "exist";
    throw new WgctlError("refused", `${result.paths.join(" and ")} ${verb} already`, {
      hint: "init never overwrites; remove the file, or start in another folder",
    });
  }
  for (const file of result.files) await writeNew(root, file);
  streams.out(`${result.files.map(({ path }) => `wrote ${join(folder, path)}\n`).join("")}`);
  return EXIT.done;
}

/** The example must be valid as it is written. */
function requireGood(
  option: string,
  text: string | undefined,
  read: (text: string) => Reading<string>,
): void {
  const reading = text === undefined ? undefined : read(text);
  if (reading === undefined || reading.ok) return;
  const details = reading.hint === undefined ? {} : { hint: reading.hint };
  throw new WgctlError("bad-usage", `${option} "${text}" ${reading.message}`, details);
}

/** The folder's name as a DNS label. */
function projectName(root: string): string {
  const label = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, LONGEST_NAME)
    .replace(/-+$/, "");
  return label === "" ? "workers" : label;
}

async function readExisting(root: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const path of initPaths) {
    const text = await readIfPresent(join(root, path));
    if (text !== undefined) texts[path] = text;
  }
  return texts;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw refusal(path, error);
  }
}

function refusal(path: string, cause: unknown): unknown {
  const code = errnoOf(cause);
  if (code === undefined) return cause;
  return new WgctlError("refused", `a project cannot be written here: ${code} at ${path}`, {
    hint: "init needs a folder that is yours to write",
    cause,
  });
}

async function writeNew(root: string, { path, text }: NewFile): Promise<void> {
  const full = join(root, path);
  try {
    await makeFolders(dirname(full));
    await writeFile(full, text);
  } catch (error) {
    throw refusal(full, error);
  }
}
