// Objects without the fields that say nothing.

type Unset<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** The same object without fields that are undefined. */
export function definedOnly<T extends object>(input: Unset<T>): T {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** Nothing, where a list or an object is empty. */
export function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
