// A journal whose process can die: what is said after that is said by nobody.

import type { Journal } from "../../src/store/journal.ts";

/** The journal as a process has it that is dead once `isDead` says so; `beforeWrite` may be what kills it. */
export function mortal(journal: Journal, isDead: () => boolean, beforeWrite: () => void): Journal {
  const whileAlive = (write: () => void) => {
    if (isDead()) return;
    beforeWrite();
    if (!isDead()) write();
  };
  return {
    get run() {
      return journal.run;
    },
    get pending() {
      return journal.pending;
    },
    get isSettled() {
      return journal.isSettled;
    },
    get isTorn() {
      return journal.isTorn;
    },
    get trouble() {
      return journal.trouble;
    },
    prepare: (time) => journal.prepare(time),
    commit: (line) => whileAlive(() => journal.commit(line)),
    add: (lines) => whileAlive(() => journal.add(lines)),
    close: () => journal.close(),
  };
}
