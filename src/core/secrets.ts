// Values that must not be shown, kept apart from everything that is printed, stored or compared.

/** Values by their seals. Shows and serialises as an empty object. */
export class Secrets {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /** The value behind a seal; any other text as it is. */
  reveal(text: string): string {
    return this.#values.get(text) ?? text;
  }
}
