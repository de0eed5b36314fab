// Compose's interpolation, `${NAME:-default}` and its kin, over one text. Knows neither files nor where values come from.

import type { Finding } from "./problems.ts";

export type Lookup = (name: string) => string | undefined;

/** Something wrong with one `$...` of the text, written as `piece`. */
export type Fault = Finding & {
  readonly piece: string;
  /** `syntax`: wrong whatever is set. */
  readonly kind: "syntax" | "unset";
};

export type Interpolated = {
  readonly text: string;
  readonly faults: readonly Fault[];
  /** A variable was asked for, set or not; `$$` alone does not count. */
  readonly hasVariables: boolean;
  /** The values that variables gave to the text. */
  readonly values: readonly string[];
};

type State = {
  readonly lookup: Lookup;
  readonly faults: Fault[];
  readonly values: string[];
  hasVariables: boolean;
};

/** Fills in the variables of a text and makes `$$` a plain dollar. A variable that is not set is a fault. */
export function interpolate(text: string, lookup: Lookup): Interpolated {
  const state = begin(lookup);
  const filled = fill(text, state);
  const { faults, values, hasVariables } = state;
  return { text: filled, faults, values, hasVariables };
}

/** The pieces of a text, each `$...` one of its own; together they are the text. Nothing is filled in. */
export function splitVariables(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const dollar = text.indexOf("$", at);
    const length = dollar === at ? pieceAt(text, at).length : dollar - at;
    const piece = dollar === -1 ? text.slice(at) : text.slice(at, at + length);
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

function begin(lookup: Lookup): State {
  return { lookup, faults: [], values: [], hasVariables: false };
}

function fill(text: string, state: State): string {
  let filled = "";
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("$", at);
    if (next === -1) return filled + text.slice(at);
    const piece = pieceAt(text, next);
    filled += text.slice(at, next) + fillPiece(piece, state);
    at = next + piece.length;
  }
  return filled;
}

/** What one dollar begins: `$$`, `$NAME`, `${...}` with its own closing brace (without one, up to the end), or itself. */
function pieceAt(text: string, at: number): string {
  if (text.charAt(at + 1) !== "{") {
    name.lastIndex = at;
    return name.exec(text)?.[0] ?? "$";
  }
  let depth = 0;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text.charAt(end) === "{") depth += 1;
    if (text.charAt(end) === "}") depth -= 1;
    if (depth === 0) return text.slice(at, end + 1);
  }
  return `${text.slice(at)}\n`;
}

const name = /\$(\$|[A-Za-z_][A-Za-z0-9_]*)/y;
const braced = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?)([-+?])(.*))?\}(?!\n)$/;

function fillPiece(piece: string, state: State): string {
  if (piece === "$" || piece === "$$") return "$";
  state.hasVariables = true;
  const match = piece.startsWith("${") ? braced.exec(piece) : [piece, piece.slice(1)];
  if (match === null) {
    state.faults.push({ piece: piece.trimEnd(), kind: "syntax", ...syntax });
    return "";
  }
  const [, variable = "", colon, operator, argument = ""] = match;
  const value = state.lookup(variable);
  const isSet = value !== undefined && !(colon === ":" && value === "");
  const filled = fillArgument(argument, isSet === (operator === "+"), state);
  if (operator === "+") return isSet ? filled : "";
  if (isSet) {
    state.values.push(value);
    return value;
  }
  if (operator === "-") return filled;
  state.faults.push({ piece, kind: "unset", ...describeUnset(variable, argument) });
  return "";
}

const syntax: Finding = {
  message: "not a variable as Compose writes it",
  hint: "write $NAME or $" + "{NAME:-default}, and $$ for a literal dollar",
};

/** Fills in a default. Of one that is not needed only its syntax counts, as in a shell. */
function fillArgument(argument: string, isNeeded: boolean, state: State): string {
  const inner = begin(state.lookup);
  const filled = fill(argument, inner);
  if (isNeeded) state.values.push(...inner.values);
  state.faults.push(...inner.faults.filter(({ kind }) => isNeeded || kind === "syntax"));
  return filled;
}

/** The reason stands as it is written: filled in, it could show the value of another variable. */
function describeUnset(variable: string, reason: string): Finding {
  if (reason !== "") return { message: `the variable ${variable} is required: ${reason}` };
  return { message: `the variable ${variable} is not set` };
}
