// Keeps sensitive values out of templates: a seal stands in for each, equal for equal values of one group, so that a
// change is seen and the value is not. Only what makes a container ever takes the seals off.

import { sha256 } from "./digest.ts";
import { parsePlaceholders } from "./placeholders.ts";
import { Secrets } from "./secrets.ts";
import type { Template } from "./template.ts";

/** Where sensitive values stand in a template: names of variables and labels, indexes of words. */
export type SensitivePlaces = {
  readonly environment: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly command: ReadonlySet<number>;
  readonly entrypoint: ReadonlySet<number>;
  readonly healthcheck: ReadonlySet<number>;
};

/**
 * The template with a seal in every sensitive place, salted with the group's UID, and what is behind the seals.
 * `parts` are values that stand inside sensitive texts.
 */
export function sealTemplate(
  template: Template,
  places: SensitivePlaces,
  uid: string,
  parts: readonly string[] = [],
): { readonly template: Template; readonly secrets: Secrets | undefined } {
  const { values, seal } = sealer(uid);
  const sealed = mapTexts(template, (field, step, text) =>
    isIn(places[field], step) ? seal(text) : text,
  );
  if (values.size === 0) return { template: sealed, secrets: undefined };
  const pieces = [...values.values()].flatMap(withoutPlaceholders);
  return { template: sealed, secrets: new Secrets(values, [...parts, ...pieces]) };
}

/** Seals texts of the group with that UID, and has what is behind the seals. */
function sealer(uid: string) {
  const values = new Map<string, string>();
  const seal = (text: string) => {
    const sealed = sealOf(uid, text);
    values.set(sealed, text);
    return sealed;
  };
  return { values, seal };
}

/**
 * The template of a container that somebody else made, to be compared with the desired one: any text of it may be
 * sensitive, so that each is sealed but for those that the desired template shows in the same place.
 */
export function sealForeign(
  template: Template,
  desired: Template,
  uid: string,
): { readonly template: Template; readonly secrets: Secrets } {
  const { values, seal } = sealer(uid);
  const open = openTexts(desired);
  const conceal = (field: string, step: string | number, text: string) =>
    open.has(placed(field, step, text)) ? text : seal(text);
  const sealed = mapTexts(template, conceal);
  const options = Object.entries(template.logging?.options ?? {}).map(
    ([name, text]) => [name, conceal("logging", name, text)] as const,
  );
  const logging = options.length > 0 && {
    ...template.logging,
    options: Object.fromEntries(options),
  };
  return { template: { ...sealed, ...(logging && { logging }) }, secrets: new Secrets(values) };
}

/** What a template shows, each text with its place; the kind of a health check is nobody's secret. */
function openTexts(template: Template): ReadonlySet<string> {
  const open = new Set(["NONE", "CMD", "CMD-SHELL"].map((kind) => placed("healthcheck", 0, kind)));
  mapTexts(template, (field, step, text) => {
    open.add(placed(field, step, text));
    return text;
  });
  for (const [name, text] of Object.entries(template.logging?.options ?? {})) {
    open.add(placed("logging", name, text));
  }
  return open;
}

function placed(field: string, step: string | number, text: string): string {
  return [field, step, text].join("\0");
}

/** The seal of a value: of all its parts, one after the other. */
export function sealOf(uid: string, ...parts: readonly (string | Uint8Array)[]): string {
  return `sealed:${sha256(uid, "\0", ...parts).slice(0, 32)}`;
}

/** What is left of a text whatever becomes of its placeholders. */
function withoutPlaceholders(text: string): readonly string[] {
  return parsePlaceholders(text).flatMap((piece) => (piece.kind === "text" ? [piece.text] : []));
}

/** The template as a container is made from it. */
export function revealTemplate(template: Template, secrets: Secrets | undefined): Template {
  return secrets === undefined
    ? template
    : mapTexts(template, (_, __, text) => secrets.reveal(text));
}

const SEAL = /sealed:[0-9a-f]{32}/g;

/** A line for a person: `shown` in place of every seal. */
export function hideSeals(line: string, shown: string): string {
  return line.replace(SEAL, shown);
}

/** Every seal that stands in a text. */
export function sealsIn(text: string): readonly string[] {
  return text.match(SEAL) ?? [];
}

type Field = keyof SensitivePlaces;
type Replace = (field: Field, step: string | number, text: string) => string;

function mapTexts(template: Template, replace: Replace): Template {
  const record = (field: Field, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, replace(field, name, text)]),
    );
  const list = (field: Field, texts: readonly string[]) =>
    texts.map((text, index) => replace(field, index, text));
  const { environment, labels, command, entrypoint, healthcheck } = template;
  return {
    ...template,
    ...(environment && { environment: record("environment", environment) }),
    ...(labels && { labels: record("labels", labels) }),
    ...(command && { command: list("command", command) }),
    ...(entrypoint && { entrypoint: list("entrypoint", entrypoint) }),
    ...(healthcheck?.test && {
      healthcheck: { ...healthcheck, test: list("healthcheck", healthcheck.test) },
    }),
  };
}

function isIn(places: ReadonlySet<string | number>, step: string | number): boolean {
  return places.has(step);
}
