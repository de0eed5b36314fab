// The commands whose code goes into the cache: what people and cron run most.

/** @param {(environment: NodeJS.ProcessEnv) => Promise<void>} makeCache */
export async function warmUp(makeCache) {
  await makeCache({ WARM_UP: JSON.stringify([{ argv: ["--version"], code: 0 }]) });
}
