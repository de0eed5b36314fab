// The promises that random worlds are held to, by name, and the book of which were tried and which were broken.

/** What is promised, in words; those that serve one of the nine rules carry its name. */
export const PROMISES = {
  bytes: "the same bytes, in whatever order things were listed",
  order: "needs only what stands earlier, and has every id once",
  budget: "is cut by a budget without losing, doubling or cutting off anything",
  forecast: "counts in its forecast at least what it does now",
  ranking: "ranks workers totally: whatever the order, the same one goes first",
  idle: "is empty where all is as declared, and else acts, waits or says what holds it",
  again: "R2: applied and planned again, gives nothing but what its own effects opened",
  converged:
    "R2: once as declared, asks for nothing an hour later, and the status stays the same to the byte",
  readiness: "R3: takes no worker for available that does not run, or not for long enough",
  existence: "R4: never has more than replicas and surge exist, unanswered creates counted",
  slots: "R4: makes no second worker in a slot unless surge was asked for",
  names: "R4: makes no worker under a name that is taken",
  foreign: "R5: names nothing that is not ours",
  deletion: "R6: only ever takes from a group that is leaving",
  mute: "R7: makes and retires nothing where the engine does not answer for a worker",
  facts: "R9: carries the facts of the worker as it is",
  availability: "takes no available worker that minAvailable needs",
  blocked: "makes nothing in a group whose revision is blocked",
  bad: "blocks a bad revision where there is something to fall back on, and then rests",
  kept: "removes no kept worker of the desired revision while its slot lacks one",
  away: "lets nothing run for long that is kept or set aside, and keeps nothing once complete",
  drain: "asks no worker to stop that was not told to take no more and asked, or given the time",
  asks: "asks a worker no more often than every second second, and only while it drains",
  paused: "leaves a paused worker alone",
  recreate: "with Recreate makes no worker beside one of another revision",
  grace: "kills nobody who was not asked to stop and given the grace",
  rest: "comes to rest once the world stops moving, within the bound",
  declared: "comes to be as declared once people have lifted what holds it, within the bound",
} as const;

export type PromiseKey = keyof typeof PROMISES;

/** Notes what was tried, and what was broken and how. */
export class Watch {
  /** Emptied by who reads it. */
  readonly violations: string[] = [];
  readonly tried = new Map<PromiseKey, number>();
  plans = 0;
  /** The most engine calls and passes, per worker and slot, that a quiet world took. */
  worst = { calls: 0, passes: 0 };

  /** A quiet world came to rest with so many calls and passes for each worker and slot. */
  cost(calls: number, passes: number): void {
    const tenth = (value: number) => Math.ceil(value * 10) / 10;
    this.worst = {
      calls: Math.max(this.worst.calls, tenth(calls)),
      passes: Math.max(this.worst.passes, tenth(passes)),
    };
  }

  /** The promise was put to the test; `what` tells what broke it. */
  hold(promise: PromiseKey, holds: boolean, what: () => string): void {
    this.tried.set(promise, (this.tried.get(promise) ?? 0) + 1);
    if (!holds) this.violations.push(`${PROMISES[promise]} -- ${what()}`);
  }
}
