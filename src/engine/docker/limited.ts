// Runs many calls, a few at a time.

/** Maps in order with at most `limit` works in flight. After a failure nothing new is begun, and it is thrown. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  const queue = numbered(items);
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

// A generator, unlike an array's own iterator, ends for all lanes when one of them leaves its loop by a failure.
function* numbered<T>(items: readonly T[]): Generator<[number, T], void, undefined> {
  yield* items.entries();
}
