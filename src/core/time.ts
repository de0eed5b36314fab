// Between milliseconds since 1970 and ISO 8601 text. Never reads a clock.

/** ISO 8601 in UTC with milliseconds. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Milliseconds since 1970; undefined for a text that is no time. */
export function fromIso(text: string): number | undefined {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
