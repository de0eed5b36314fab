// Values that must not be shown, kept apart from everything that is printed, stored or compared.

/** What stands where a value was. */
const HIDDEN = "(sensitive)";
/** Shorter values are parts of ordinary words. */
const SHORTEST = 4;
/** What ends a text that somebody cut. */
const CUT = "...";

/** Values by their seals. Shows and serialises as an empty object. */
export class Secrets {
  readonly #values: ReadonlyMap<string, string>;
  readonly #parts: readonly string[];
  #needles: readonly string[] | undefined;

  /** `parts` are what may be seen of a value by itself: what a variable filled in, what stands between placeholders. */
  constructor(values: ReadonlyMap<string, string>, parts: readonly string[] = []) {
    this.#values = values;
    this.#parts = parts;
  }

  /** The secrets of several groups as one. */
  static union(all: readonly Secrets[]): Secrets {
    const values = new Map(all.flatMap((secrets) => [...secrets.#values]));
    return new Secrets(
      values,
      all.flatMap((secrets) => secrets.#parts),
    );
  }

  /** The value behind a seal; any other text as it is. */
  reveal(text: string): string {
    return this.#values.get(text) ?? text;
  }

  /** True when the value behind the seal is among these. */
  knows(seal: string): boolean {
    return this.#values.has(seal);
  }

  /** Somebody else's words without the values in them, however they are quoted, joined, or cut at the end. */
  hide(text: string): string {
    this.#needles ??= [...new Set([...this.#values.values(), ...this.#parts].flatMap(needlesOf))];
    return cover(text, this.#needles);
  }
}

/** How a value may stand in a message: line by line, blanks joined, quoted or not. */
function needlesOf(value: string): readonly string[] {
  return value
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .flatMap((line) => [line, line.replace(/\s+/g, " ")])
    .flatMap((line) => [line, JSON.stringify(line).slice(1, -1)])
    .filter((needle) => needle.length >= SHORTEST);
}

/** Covers every character that belongs to any needle, so that needles which overlap leave nothing between them. */
function cover(text: string, needles: readonly string[]): string {
  const covered = new Array<boolean>(text.length).fill(false);
  for (const needle of needles)
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1))
      covered.fill(true, at, at + needle.length);
  if (text.endsWith(CUT)) coverCutOff(text.slice(0, -CUT.length), needles, covered);
  let shown = "";
  for (let at = 0; at < text.length; at += 1) {
    if (!covered[at]) shown += text.charAt(at);
    else if (!covered[at - 1]) shown += HIDDEN;
  }
  return shown;
}

/** The beginning of a needle at the end of a text whose rest is missing. */
function coverCutOff(text: string, needles: readonly string[], covered: boolean[]): void {
  for (const needle of needles) {
    const longest = Math.min(needle.length - 1, text.length);
    for (let length = longest; length >= SHORTEST; length -= 1)
      if (text.endsWith(needle.slice(0, length)))
        covered.fill(true, text.length - length, text.length);
  }
}
