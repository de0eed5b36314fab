// Objects without the fields that nobody set, and those that are none without them. For every room that makes such.

type Unset<T> = { readonly [Key in keyof T]: T[Key] | null | undefined };

/** The same object without fields that are null or undefined. */
export function definedOnly<T extends object>(input: Unset<T>): T {
  const entries = Object.entries(input).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(entries) as T;
}

/** The same object or list; undefined where nothing is in it. */
export function unlessEmpty<T extends object>(value: T | null | undefined): T | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
}
