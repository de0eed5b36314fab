// How the readers of short forms answer: a value, or what is wrong with the text, to be put after the text itself.

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  /** `message` continues a sentence that begins with the value: `is not a duration`. */
  | { readonly ok: false; readonly message: string; readonly hint?: string };

export function good<T>(value: T): Reading<T> {
  return { ok: true, value };
}

export function bad(message: string, hint?: string): Reading<never> {
  return hint === undefined ? { ok: false, message } : { ok: false, message, hint };
}
