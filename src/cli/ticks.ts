// The run's own clock, which no change of the time of day moves.

/** Milliseconds since some moment. By hrtime, because Node loads nine modules before `performance` can be asked. */
export function ticks(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
