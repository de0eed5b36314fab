// A command written as one string -> its words, cut as Compose cuts them. No shell ever runs, so what only a shell
// understands is refused instead of being passed on or, as in Compose, silently ending the command.

import { bad, good, type Reading } from "./reading.ts";

const shellHint = 'nothing but a shell understands it: write ["sh", "-c", "..."], or quote it';
const placeholder = /\{\{\s*\.[A-Za-z.]+\s*\}\}/y;

type State = {
  readonly words: string[];
  /** The word being read; undefined between words. */
  word: string | undefined;
  quote: '"' | "'" | undefined;
};

/** The words of a command; a backslash takes the next character as it is, within double quotes too. */
export function readWords(text: string): Reading<readonly string[]> {
  const state: State = { words: [], word: undefined, quote: undefined };
  for (let at = 0; at < text.length; ) {
    const step = readStep(text, at, state);
    if (typeof step !== "number") return step;
    at += step;
  }
  if (state.quote !== undefined) return bad(`never closes the quote ${state.quote}`);
  endWord(state);
  return good(state.words);
}

/** Reads at least one character and answers with how many. */
function readStep(text: string, at: number, state: State): number | Reading<never> {
  const character = text.charAt(at);
  if (character === "\\" && state.quote !== "'") return readEscape(text, at, state);
  if (character === state.quote) state.quote = undefined;
  else if (state.quote !== undefined) append(state, character);
  else if (character === '"' || character === "'") openQuote(state, character);
  else if (/[ \t\r\n]/.test(character)) endWord(state);
  else if (/[;&|<>()`]/.test(character)) return bad(`has an unquoted ${character}`, shellHint);
  else return readPlain(text, at, state);
  return 1;
}

function readEscape(text: string, at: number, state: State): number | Reading<never> {
  const next = text.charAt(at + 1);
  if (next === "") return bad("ends with a backslash that escapes nothing");
  append(state, next);
  return 2;
}

/** One character, or a whole placeholder, whose blanks do not end the word. */
function readPlain(text: string, at: number, state: State): number {
  placeholder.lastIndex = at;
  const piece = placeholder.exec(text)?.[0] ?? text.charAt(at);
  append(state, piece);
  return piece.length;
}

function openQuote(state: State, quote: '"' | "'"): void {
  state.quote = quote;
  append(state, "");
}

function append(state: State, text: string): void {
  state.word = (state.word ?? "") + text;
}

function endWord(state: State): void {
  if (state.word !== undefined) state.words.push(state.word);
  state.word = undefined;
}
