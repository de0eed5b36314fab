// `wgctl init`: writes a project that can be applied as it is. Never overwrites anything.

import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EXIT } from "../../app/verdict.ts";
import { initPaths, makeInitFiles, type NewFile } from "../../config/init.ts";
import { WgctlError } from "../../core/errors.ts";
import { openHost } from "../host.ts";
import type { OutputOptions } from "../options.ts";

export type InitOptions = OutputOptions & { readonly name?: string; readonly image?: string };

export async function initCommand(folder: string, options: InitOptions): Promise<number> {
  const { streams } = openHost(options);
  const root = resolve(folder);
  const result = makeInitFiles({
    projectName: options.name ?? projectName(root),
    projectUid: randomUUID(),
    groupUid: randomUUID(),
    existing: await readExisting(root),
    ...(options.image === undefined ? {} : { image: options.image }),
  });
  if (result.kind === "taken") {
    throw new WgctlError("refused", `${result.paths.join(" and ")} exists already`, {
      hint: "init never overwrites; remove the file, or start in another folder",
    });
  }
  for (const file of result.files) await writeNew(root, file);
  streams.out(`${result.files.map(({ path }) => `wrote ${join(folder, path)}\n`).join("")}`);
  return EXIT.done;
}

/** The folder's name as a DNS label. */
function projectName(root: string): string {
  const label = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return label === "" ? "workers" : label;
}

async function readExisting(root: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const path of initPaths) {
    const text = await readFile(join(root, path), "utf8").catch(absent);
    if (text !== undefined) texts[path] = text;
  }
  return texts;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function writeNew(root: string, { path, text }: NewFile): Promise<void> {
  const full = join(root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, text);
}
