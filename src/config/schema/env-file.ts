// The schema of env_file: one path, or a list of paths and of paths that may be missing.

import * as z from "zod/mini";
import { readBoolean } from "../forms/numbers.ts";
import { fields, leaf, maybe, text } from "./parts.ts";

/** A file to read variables from; its path is still as written. */
export type EnvFileDraft = { readonly path: string; readonly required: boolean };

const shortForm = z.pipe(
  text(1),
  z.transform((path): EnvFileDraft => ({ path, required: true })),
);

const longForm = z.pipe(
  fields({ path: text(1), required: maybe(leaf(readBoolean, "boolean")) }, { later: ["format"] }),
  z.transform(({ path, required }): EnvFileDraft => ({ path, required: required ?? true })),
);

export const envFiles = z.pipe(
  z.union([shortForm, z.array(z.union([shortForm, longForm]))]),
  z.transform((input): readonly EnvFileDraft[] => (Array.isArray(input) ? input : [input])),
);
