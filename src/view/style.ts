// Colour as meaning: decided once from flags, environment and stream, and then only a function of tone and text.

import { styleText } from "node:util";

/** What a colour says; everything must be readable without it too. */
export type Tone = "add" | "change" | "remove" | "alert" | "good" | "strong" | "faint";

/** Gives a text the look of its tone, or leaves it as it is. */
export type Paint = (tone: Tone, text: string) => string;

export type ColorMode = "always" | "never" | "auto";

/** The variables that speak about colour, as the environment has them. */
export type ColorEnvironment = {
  readonly NO_COLOR?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
};

const LOOKS = {
  add: "green",
  change: "yellow",
  remove: "red",
  alert: ["bold", "red"],
  good: "green",
  strong: "bold",
  faint: "dim",
} as const satisfies Record<Tone, Parameters<typeof styleText>[0]>;

/** `--color`, else `NO_COLOR`, else `FORCE_COLOR` (empty ones count as unset), else a terminal that is not dumb. */
export function decideColor(mode: ColorMode, env: ColorEnvironment, isTerminal: boolean): boolean {
  if (mode !== "auto") return mode === "always";
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return env.TERM !== "dumb" && isTerminal;
}

/** The paint for a stream that shows colour, or for one that does not. */
export function createPaint(color: boolean): Paint {
  if (!color) return (_tone, text) => text;
  // Node would decide by its own rules for stdout; ours were applied already.
  return (tone, text) =>
    text === "" ? "" : styleText(LOOKS[tone], text, { validateStream: false });
}
