// Members of objects in one order, so that equal templates give equal bytes.

/** The members of an object that goes over the wire. */
export type Fields = Readonly<Record<string, unknown>>;

/** Sorted by key; absent is empty. */
export function entriesOf<V>(
  record: Readonly<Record<string, V>> = {},
): readonly (readonly [string, V])[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The same members, sorted by key. */
export function sorted<V>(record: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return Object.fromEntries(entriesOf(record));
}
