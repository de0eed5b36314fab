// Words for people: counts, durations, and foreign text made safe to print.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `45s`, `1m05s`, `3h20m`, `12d`; rounds down to what it shows. Seconds, not negative. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < MINUTE) return `${whole}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m${twoDigits(whole % MINUTE)}s`;
  if (whole < 2 * DAY) {
    return `${Math.floor(whole / HOUR)}h${twoDigits(Math.floor((whole % HOUR) / MINUTE))}m`;
  }
  return `${Math.floor(whole / DAY)}d`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** `0.12s`, `13.4s`, from milliseconds. */
export function formatElapsed(milliseconds: number): string {
  const digits = milliseconds < 10_000 ? 2 : 1;
  return `${(milliseconds / 1000).toFixed(digits)}s`;
}

/** `1 worker`, `2 workers`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** One line without control characters: what the engine or a manifest says must not steer a terminal. */
export function printable(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").replace(/\p{Cc}/gu, "?");
}

/** A group as people name it: `mailer`, `shop/mailer` outside the default namespace. */
export function groupTitle(group: { readonly namespace: string; readonly name: string }): string {
  return group.namespace === "default" ? group.name : `${group.namespace}/${group.name}`;
}

/** `256M`: a size in the largest unit that leaves no rest. */
export function formatBytes(value: number): string {
  const units = ["", "K", "M", "G"];
  const power = units.findLastIndex((_, index) => value % 1024 ** index === 0);
  return `${value / 1024 ** power}${units[power]}`;
}
