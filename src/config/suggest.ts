// "Did you mean": the known word nearest to a mistyped one.

/** The known word nearest to `word`, or undefined when none is near. Case, `-` and `_` do not count. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const plain = flatten(word);
  const limit = plain.length < 3 ? 0 : Math.min(3, Math.max(1, Math.floor(plain.length / 3)));
  let best: { readonly distance: number; readonly word: string } | undefined;
  for (const candidate of known) {
    const distance = editDistance(plain, flatten(candidate), limit);
    if (distance <= limit && (best === undefined || distance < best.distance))
      best = { distance, word: candidate };
  }
  return best?.word;
}

/** A hint that names the nearest known word, else all of them where they are few. */
export function hintFor(word: string, known: readonly string[], limit = 8): string | undefined {
  const near = suggest(word, known);
  if (near !== undefined) return `did you mean ${JSON.stringify(near)}?`;
  if (known.length > limit) return undefined;
  return known.length === 1 ? `write ${known[0]}` : `write one of ${known.join(", ")}`;
}

function flatten(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, "");
}

/** Insertions, deletions, substitutions and swaps of neighbours; stops counting above `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) row.push(cell(a, b, i, j, row, above, before));
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}

function cell(
  a: string,
  b: string,
  i: number,
  j: number,
  row: readonly number[],
  above: readonly number[],
  before: readonly number[],
): number {
  const same = a[i - 1] === b[j - 1];
  const nearest = Math.min(
    (above[j] ?? 0) + 1,
    (row[j - 1] ?? 0) + 1,
    (above[j - 1] ?? 0) + (same ? 0 : 1),
  );
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return swapped ? Math.min(nearest, (before[j - 2] ?? 0) + 1) : nearest;
}
