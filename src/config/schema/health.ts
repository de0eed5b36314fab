// The schema of healthcheck.

import * as z from "zod/mini";
import { definedOnly } from "../../core/defined.ts";
import type { Healthcheck } from "../../core/template.ts";
import { readBoolean, readDuration, readInteger, readInterval } from "../forms/numbers.ts";
import { bad, good } from "../forms/reading.ts";
import { fields, leaf, maybe, rule } from "./parts.ts";
import { healthStrangers } from "./strangers.ts";

const testForms = { NONE: 1, CMD: Number.POSITIVE_INFINITY, "CMD-SHELL": 2 } as const;

const healthTest = z.union([
  leaf((command) =>
    command.trim() === "" ? bad("is empty") : good<readonly string[]>(["CMD-SHELL", command]),
  ),
  z.array(z.string()).check(
    rule<string[]>((test, complain) => {
      const [form = ""] = test;
      if (!isTestForm(form))
        complain([], "a test given as a list begins with CMD, CMD-SHELL or NONE", {
          hint: 'write ["CMD", "bin/healthy"], or the shell command as one text',
        });
      else if (test.length > testForms[form] || (form !== "NONE" && test.length < 2))
        complain([], `a ${form} test of ${test.length - 1} words`, {
          hint:
            form === "CMD-SHELL"
              ? "write the whole shell command as one text"
              : "write at least one word after it",
        });
    }),
  ),
]);

function isTestForm(word: string): word is keyof typeof testForms {
  return Object.hasOwn(testForms, word);
}

export const healthcheck = z.pipe(
  fields(
    {
      test: maybe(healthTest),
      interval: maybe(leaf(readInterval)),
      timeout: maybe(leaf(readInterval)),
      retries: maybe(leaf((count) => readInteger(count, 1, 1000), "integer")),
      start_period: maybe(leaf(readDuration)),
      disable: maybe(leaf(readBoolean, "boolean")),
    },
    healthStrangers,
  ).check(
    rule(({ test, disable }, complain) => {
      if (disable === true && test && test[0] !== "NONE")
        complain(["disable"], "a health check that is disabled and has a test", {
          hint: "keep one of them",
        });
    }),
  ),
  z.transform(({ disable, test, ...times }): Healthcheck => {
    if (disable === true || test?.[0] === "NONE") return { test: ["NONE"] };
    return definedOnly({ test, ...times });
  }),
);
