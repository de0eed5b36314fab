// What the acts of the demo and its engines agree on.

/** @typedef {{ id: string, name: string, state: string }} Worker */

/**
 * What somebody types to remove a worker by hand, or, where no command does it, what to do and to say.
 *
 * @typedef {{ line: string } | { remark: string, remove: () => Promise<void> }} Removal
 */

/**
 * An engine as the story needs it besides wgctl: eyes, a hand, and a place to clean up.
 *
 * @typedef {object} DemoEngine
 * @property {string} name
 * @property {NodeJS.ProcessEnv} environment  Leads wgctl to it.
 * @property {string} stateFolder  Below the project's folder.
 * @property {number} lookEveryMs  How often a look from outside is worth it.
 * @property {() => Promise<void>} prepare  Before anything else: the images.
 * @property {() => Promise<Worker[]>} workers
 * @property {{ now: () => Promise<string>, isQuietSince: (since: string) => Promise<boolean> }} history
 * @property {(name: string) => Removal} removal
 * @property {(command: string) => Promise<void>} prepareFailure  From now on a worker with this command ends at once.
 * @property {() => Promise<void>} clear  Removes whatever the demo left there.
 */

/** Two images that differ, so that there is something to roll. */
export const IMAGES = /** @type {const} */ (["wgctl-demo-worker:1", "wgctl-demo-worker:2"]);

/** The label of the demo's workers. */
export const WORKERS = "dev.wgctl.group=example";
