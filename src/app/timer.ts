// Timers of a run, in whatever time it lives.

/** Calls back once, after so many milliseconds of the time that the run's `ticks` tell; answers with what calls it off. */
export type StartTimer = (milliseconds: number, onDue: () => void) => () => void;

/** In real time, which is the run's unless it was given another. */
export const startRealTimer: StartTimer = (milliseconds, onDue) => {
  const timer = setTimeout(onDue, milliseconds);
  return () => clearTimeout(timer);
};
