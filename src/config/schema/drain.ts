// The schema of drain: how a worker is told to take no new work, and how it tells that it has none left.

import * as z from "zod/mini";
import { readSignal } from "../forms/names.ts";
import { readInteger } from "../forms/numbers.ts";
import { bad, type Reading } from "../forms/reading.ts";
import { readWords } from "../forms/words.ts";
import { fields, leaf, maybe, rule } from "./parts.ts";

const LONGEST_SECONDS = 31_536_000;
/** What no process can take for a message. */
const DEADLY = ["SIGKILL", "SIGSTOP"];

const words = z.union([leaf(readWords), z.array(z.string())]);
const command = words.check(
  rule<readonly string[]>((exec, complain) => {
    if ((exec[0] ?? "") !== "") return;
    complain([], "a command without a program", { hint: "write a list such as [bin/idle]" });
  }),
);

function readQuiet(text: string): Reading<string> {
  const signal = readSignal(text);
  if (!signal.ok || !DEADLY.includes(signal.value)) return signal;
  return bad("is no signal that a worker could heed", "write one that it knows, such as TSTP");
}

const quiet = fields({ signal: maybe(leaf(readQuiet)), exec: maybe(command) }).check(
  rule(({ signal, exec }, complain) => {
    if (signal && exec)
      complain(["exec"], "a signal and a command to quiet it by", {
        hint: "keep one of them",
        about: "key",
      });
  }),
  z.check(({ value, issues }) => {
    if (value.signal || value.exec) return;
    issues.push({
      ...{ code: "custom", input: value, path: [], message: "quiet says neither signal nor exec" },
      params: { hint: "write {signal: TSTP} or {exec: [bin/quiet]}" },
    });
  }),
);

const timeLimit = leaf((text) => readInteger(text, 1, LONGEST_SECONDS), "integer");

export const drain = fields({
  quiet: maybe(quiet),
  waitFor: maybe(fields({ exec: command, timeoutSeconds: maybe(timeLimit) })),
  idle: maybe(fields({ exec: command })),
});
