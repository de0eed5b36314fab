// The schema of env_file: one path, or a list of paths and of paths that may be missing.

import * as z from "zod/mini";
import { readBoolean } from "../forms/numbers.ts";
import { choice, fields, leaf, maybe, text } from "./parts.ts";

/** A file to read variables from; its path is still as written. */
export type EnvFileDraft = {
  readonly path: string;
  readonly required: boolean;
  readonly format: EnvFileFormat;
};

/** `raw`: as `docker run --env-file` reads it. */
export type EnvFileFormat = "compose" | "raw";

const shortForm = z.pipe(
  text(1),
  z.transform((path): EnvFileDraft => ({ path, required: true, format: "compose" })),
);

const longForm = z.pipe(
  fields({
    path: text(1),
    required: maybe(leaf(readBoolean, "boolean")),
    format: maybe(choice(["raw"])),
  }),
  z.transform(
    ({ path, required, format }): EnvFileDraft => ({
      path,
      required: required ?? true,
      format: format ?? "compose",
    }),
  ),
);

export const envFiles = z.pipe(
  z.union([shortForm, z.array(z.union([shortForm, longForm]))]),
  z.transform((input): readonly EnvFileDraft[] => (Array.isArray(input) ? input : [input])),
);
