// The schemas of secrets and configs: which files there are (in a spec), and where workers see them (in a template).

import { posix } from "node:path";
import * as z from "zod/mini";
import { parsePlaceholders } from "../../core/placeholders.ts";
import { bad, good, type Reading } from "../forms/reading.ts";
import { readTarget } from "../forms/volumes.ts";
import { fields, leaf, maybe, type Strangers } from "./parts.ts";

/** A file that a worker sees: the name it is declared by, and its absolute path in the container. */
export type FileUseDraft = { readonly source: string; readonly target: string };

/** A declared file; its path is still as written. */
export type FileDraft = { readonly file: string };

/** Where Compose mounts those that name no absolute target. */
const FOLDERS = { secrets: "/run/secrets", configs: "/" } as const;

export type FileField = keyof typeof FOLDERS;

const asItIs =
  "workers see the file with its own owner and mode: set them on the file, and take it out here";

const useStrangers: Strangers = { refused: { uid: asItIs, gid: asItIs, mode: asItIs } };

function fileUse(field: FileField) {
  const folder = FOLDERS[field];
  const target = leaf((text) =>
    text === "" ? bad("is empty", "take it out") : readTarget(posix.resolve(folder, text)),
  );
  const used = (source: string, at?: string | null): FileUseDraft => ({
    source,
    target: at ?? posix.join(folder, source),
  });
  const longForm = fields({ source: leaf(readName), target: maybe(target) }, useStrangers);
  return z.union([
    z.pipe(
      leaf(readName),
      z.transform((source) => used(source)),
    ),
    z.pipe(
      longForm,
      z.transform((draft) => used(draft.source, draft.target)),
    ),
  ]);
}

/** One item of a template's list. */
export const fileUses = { secrets: fileUse("secrets"), configs: fileUse("configs") } as const;

export const secretUses = z.array(fileUses.secrets);
export const configUses = z.array(fileUses.configs);

function readName(text: string): Reading<string> {
  if (/^[a-zA-Z0-9._-]+$/.test(text)) return good(text);
  return bad("is no name of a file", "use letters, digits, dots, dashes and underscores");
}

const toFile = "write it to a file and name that in file";

function strangers(what: string): Strangers {
  const fromSwarm = `Swarm alone has ${what}s of its own; name a file in file`;
  return {
    free: true,
    refused: {
      environment: `${toFile}, or give it to the worker in environment or env_file`,
      content: toFile,
      external: fromSwarm,
      name: `take it out; Swarm alone has names for ${what}s`,
      driver: fromSwarm,
      driver_opts: fromSwarm,
      template_driver: fromSwarm,
      labels: `take it out; Swarm alone has labels for ${what}s`,
    },
  };
}

function declared(what: string) {
  return z.record(z.string(), fields({ file: leaf(readFilePath) }, strangers(what)));
}

/** Files by the names that templates use. */
export const declaredSecrets = declared("secret");
export const declaredConfigs = declared("config");

/** One declared path. */
export function readFilePath(text: string): Reading<string> {
  if (text === "") return bad("is empty");
  if (parsePlaceholders(text).some(({ kind }) => kind === "placeholder"))
    return bad("has a placeholder", "all workers of a group have the same file");
  return good(text);
}
