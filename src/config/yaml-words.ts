// What a YAML syntax error means and how to get out of it, in plain words, chosen by the parser's stable codes.

import type { Source, Span } from "./source.ts";

export type SyntaxFinding = { readonly message: string; readonly hint?: string; readonly at: Span };

type Words = { readonly message: string; readonly hint?: string };

const words: Readonly<Record<string, Words>> = {
  TAB_AS_INDENT: { message: "a tab in the indentation", hint: "indent with spaces" },
  BAD_INDENT: {
    message: "the indentation does not fit",
    hint: "begin all keys of one mapping in the same column",
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "a key and a value stand where only a value can",
    hint: 'quote a value that holds ": ", and indent nested keys below their parent',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: "this line is neither a key with a value nor part of the value above",
    hint: "write `key: value`, or indent a longer value further than its key",
  },
  BAD_SCALAR_START: {
    message: "a value cannot begin with this character",
    hint: "put the value in quotes",
  },
  BAD_DQ_ESCAPE: {
    message: "a backslash sequence that double quotes do not know",
    hint: "use single quotes, or write \\\\ for a backslash",
  },
  MULTIPLE_ANCHORS: { message: "two anchors on one value", hint: "keep one of them" },
  BAD_ALIAS: { message: "an alias that cannot be read", hint: "write `*name`" },
  BAD_DIRECTIVE: { message: "a `%` line that YAML does not know", hint: "take the line out" },
  RESOURCE_EXHAUSTION: { message: "nested too deeply to be read", hint: "nest less" },
};

/** Words and the place to point at for an error of the YAML parser. */
export function explainSyntax(
  code: string,
  text: string,
  source: Source,
  span: Span,
  opening: Span | undefined,
): SyntaxFinding {
  const tab = tabInIndentation(source, span.start);
  if (tab !== undefined)
    return { message: "a tab in the indentation", hint: "indent with spaces", at: tab };
  if (code === "MISSING_CHAR" || code === "BAD_INDENT") {
    const open = missingEnd(text);
    if (open !== undefined) return { ...open, at: opening ?? span };
  }
  return { ...(words[code] ?? plainWords(text)), at: span };
}

// The parser names what is open only in its text; a text it words otherwise one day only costs this detail.
function missingEnd(text: string): Words | undefined {
  if (/closing '/.test(text)) return { message: "a single quote (') is never closed" };
  if (/closing "/.test(text)) return { message: 'a double quote (") is never closed' };
  if (/end with a \]/.test(text)) return { message: "a list opened with [ is never closed with ]" };
  if (/end with a \}/.test(text))
    return { message: "a mapping opened with { is never closed with }" };
  return undefined;
}

function plainWords(text: string): Words {
  if (/map keys need to be followed by map values/.test(text))
    return {
      message: "a line that is no `key: value`",
      hint: 'put a colon and a blank after the key, or "- " before an item of a list',
    };
  if (/block-seq-ind/.test(text))
    return {
      message: 'an item of a list ("- ") on the line of its key',
      hint: "begin the list on the next line, or write it as [a, b]",
    };
  return {
    message: "this does not fit what stands above it",
    hint: "check the indentation, the colons and the quotes from the line above on",
  };
}

/** The first tab in the indentation of the error's line or the one before, which confuses what follows it. */
function tabInIndentation(source: Source, offset: number): Span | undefined {
  const lineStart = source.text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
  const before = source.text.lastIndexOf("\n", Math.max(0, lineStart - 2)) + 1;
  for (const start of [before, lineStart]) {
    const tab = /^ *\t/.exec(source.text.slice(start, start + 200));
    if (tab !== null) return { start: start + tab[0].length - 1, end: start + tab[0].length };
  }
  return undefined;
}
