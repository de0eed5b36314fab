// The table was captured from `docker compose config` 2.40; only what a shell alone understands is refused here, where
// Compose passes it on or ends the command.

import { expect, test } from "vitest";
import { readWords } from "../../../src/config/forms/words.ts";

test.each<[string, readonly string[]]>([
  ["a b c", ["a", "b", "c"]],
  ["  a   b ", ["a", "b"]],
  ["a 'b c' d", ["a", "b c", "d"]],
  ['a "b c" d', ["a", "b c", "d"]],
  ["a 'b\"c' d", ["a", 'b"c', "d"]],
  ['a "b\'c" d', ["a", "b'c", "d"]],
  ["a\\ b c", ["a b", "c"]],
  ["a 'b\\c' d", ["a", "b\\c", "d"]],
  ['a "b\\"c" d', ["a", 'b"c', "d"]],
  ['a "b\\c"', ["a", "bc"]],
  ["a ''", ["a", ""]],
  ['a "" b', ["a", "", "b"]],
  ["a''b", ["ab"]],
  ["sh -c 'echo hi && sleep 1'", ["sh", "-c", "echo hi && sleep 1"]],
  ["x=1 y='2 3'z", ["x=1", "y=2 3z"]],
  ["a\\nb", ["anb"]],
  ["a\\\\b", ["a\\b"]],
  ["tab\tsep", ["tab", "sep"]],
  ["line\nsep", ["line", "sep"]],
  ['"a\tb"', ["a\tb"]],
  ["café 'naïve'", ["café", "naïve"]],
  ["--opt='a b'", ["--opt=a b"]],
  ["a#b #c", ["a#b", "#c"]],
  ["a \\'b\\' c", ["a", "'b'", "c"]],
  ["*.log ~/x $HOME", ["*.log", "~/x", "$HOME"]],
  ["{a,b} [c]", ["{a,b}", "[c]"]],
  ["", []],
])("%j is cut as Compose cuts it", (text, words) => {
  expect(readWords(text)).toEqual({ ok: true, value: words });
});

test.each<[string, RegExp]>([
  ["a\\", /ends with a backslash/],
  ["a 'b", /never closes the quote '/],
  ['a "b', /never closes the quote "/],
  ["a && b", /unquoted &/],
  ["a | b", /unquoted \|/],
  ["a > b", /unquoted >/],
  ["a; b", /unquoted ;/],
  ["a `b` c", /unquoted `/],
  ["a (b) c", /unquoted \(/],
  ["a ) b", /unquoted \)/],
])("%j is refused", (text, message) => {
  expect(readWords(text)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
});

test("blanks inside a placeholder do not end the word", () => {
  expect(readWords("run --id {{ .Task.Slot }}/x")).toEqual({
    ok: true,
    value: ["run", "--id", "{{ .Task.Slot }}/x"],
  });
});
