// Takes the process lock as a process of its own and reports on stdout, one word a line; ends with its stdin.
// Arguments: endpoint, project UID or `-`, timeout in ms, and `keep` to end without releasing it.

import { acquireLock } from "../../src/store/lock.ts";

const [endpoint = "", project = "-", timeout = "0", atEnd] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const lock = await acquireLock(
    {
      endpoint,
      projectUid: project === "-" ? undefined : project,
      facts: () => ({
        pid: process.pid,
        user: "deploy",
        host: "build-3",
        command: "wgctl apply",
        startedAt: "2026-11-29T12:00:00.000Z",
      }),
      timeoutMs: Number(timeout),
      onWait: (holder) => say(`waiting ${holder}`),
    },
    new AbortController().signal,
  );
  say("held");
  process.stdin.resume();
  process.stdin.on("end", async () => {
    if (atEnd === "keep") return;
    await lock.release();
    say("released");
  });
} catch (error) {
  say(`failed ${error instanceof Error ? error.message : String(error)}`);
}
