// Objects without the fields that nobody set.

type Unset<T> = { readonly [Key in keyof T]: T[Key] | null | undefined };

/** The same object without fields that are null or undefined. */
export function definedOnly<T extends object>(input: Unset<T>): T {
  const entries = Object.entries(input).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(entries) as T;
}
