// Fields that Compose takes as a mapping or as a list of `KEY=value`, such as environment and labels.

import * as z from "zod/mini";
import type { Reading } from "../forms/reading.ts";
import { always, type IssueDetails } from "./parts.ts";

type Keyed = Record<string, string | null> | string[];
export type Pair = {
  readonly step: string | number;
  readonly key: string;
  readonly value: string | null;
};

/** What is wrong with one pair, or undefined. */
type Judge = (pair: Pair) => Wrong | undefined;

/** A mapping or a list of pairs -> values by key; `null` for a key without a value. */
export function keyed(judge: Judge) {
  const judged = always<Keyed>((payload) => {
    if (typeof payload.value !== "object" || payload.value === null) return;
    for (const { step, message, ...params } of judgePairs(pairsOf(payload.value), judge))
      payload.issues.push({ code: "custom", input: payload.value, path: [step], message, params });
  });
  const record = z.record(z.string(), z.nullable(z.string())).check(judged);
  const list = z.array(z.string()).check(judged);
  return z.pipe(
    z.union([record, list]),
    z.transform(
      (input: Keyed): Readonly<Record<string, string | null>> =>
        Object.fromEntries(pairsOf(input).map(({ key, value }) => [key, value])),
    ),
  );
}

/** The same with an empty text for a key without a value. */
export function textsOf(schema: ReturnType<typeof keyed>) {
  return z.pipe(
    schema,
    z.transform(
      (input): Readonly<Record<string, string>> =>
        Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value ?? ""])),
    ),
  );
}

export type Wrong = IssueDetails & { readonly message: string };

/** A check of the keys of a mapping; `read` says of each whether it is a name. */
export function namesAre(message: string, read: (key: string) => Reading<string>) {
  return always((payload) => {
    if (typeof payload.value !== "object" || payload.value === null) return;
    for (const key of Object.keys(payload.value)) {
      const name = read(key);
      const params = { hint: name.ok ? undefined : name.hint, about: "name" };
      if (!name.ok)
        payload.issues.push({ code: "custom", input: payload.value, path: [key], message, params });
    }
  });
}

function judgePairs(
  pairs: readonly Pair[],
  judge: Judge,
): readonly (Wrong & { step: Pair["step"] })[] {
  const seen = new Set<string>();
  return pairs.flatMap((pair) => {
    const wrong: Wrong | undefined = seen.has(pair.key)
      ? { message: "is set twice", about: "name", hint: "keep one" }
      : judge(pair);
    seen.add(pair.key);
    return wrong === undefined ? [] : [{ ...wrong, step: pair.step }];
  });
}

function pairsOf(input: Keyed): readonly Pair[] {
  if (!Array.isArray(input))
    return Object.entries(input).map(([key, value]) => ({ step: key, key, value }));
  return input.flatMap((text, step): readonly Pair[] => {
    if (typeof text !== "string") return [];
    const at = text.indexOf("=");
    return at === -1
      ? [{ step, key: text, value: null }]
      : [{ step, key: text.slice(0, at), value: text.slice(at + 1) }];
  });
}

const ownVariables = ["WGCTL_SLOT", "WGCTL_GROUP", "WGCTL_TASK_ID"];

/** Variables by name; `null` for one without a value, which is to come from the variables of the run. */
export const environment = keyed(({ key }) => {
  if (key === "" || /[\s=\0]/.test(key))
    return { message: "is not the name of a variable", about: "name", hint: "write NAME: value" };
  if (ownVariables.includes(key))
    return { message: "is set by wgctl itself", about: "name", hint: "take it out" };
  return undefined;
});

const sparseLabels = keyed(({ key }) => {
  if (key === "" || /\s/.test(key))
    return { message: "is not the name of a label", about: "name", hint: "write name: value" };
  if (/^(dev\.wgctl|com\.docker\.compose)\./.test(key))
    return {
      message: "is a label that only wgctl and docker compose set",
      about: "name",
      hint: "they know their containers by it; use a name of your own",
    };
  return undefined;
});

/** Labels by name; a label without a value has an empty one, as in Compose. */
export const labels = textsOf(sparseLabels);
