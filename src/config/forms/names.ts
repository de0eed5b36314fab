// Names and identities: DNS labels, UIDs, times, image references, signals, restart policies.

import { expandText } from "../../core/placeholders.ts";
import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

/** Lower-case letters, digits and dashes, as names of groups and namespaces are. */
export function readDnsLabel(text: string, longest: number): Reading<string> {
  if (text.length > longest)
    return bad(`has ${text.length} characters`, `a name has at most ${longest}`);
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text)) return good(text);
  return bad(
    "cannot be a name",
    "use lower-case letters, digits and dashes, with a letter or digit at both ends",
  );
}

/** A UUID of any version, in lower case. */
export function readUid(text: string): Reading<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return good(text.toLowerCase());
  return bad("is not a UUID", "`wgctl uid --write FILE` writes one where it is missing");
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** A moment as RFC 3339 writes it. */
export function readTimestamp(text: string): Reading<string> {
  const day = Number(text.slice(8, 10));
  const time = rfc3339.test(text) ? Date.parse(text) : Number.NaN;
  const lastDay = new Date(
    Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0),
  ).getUTCDate();
  if (!Number.isNaN(time) && day <= lastDay) return good(text);
  return bad("is not a time", "write it as 2026-11-29T12:00:00Z");
}

const host =
  "(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\\d+)?|\\[[0-9a-fA-F:]+\\](?::\\d+)?)";
const repository = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const reference = new RegExp(
  `^(?:${host}/)?${repository}(?:/${repository})*(?::[\\w][\\w.-]{0,127})?(?:@[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,})?$`,
);

/** An image reference, `registry:5000/team/app:1.2@sha256:...`, or an image id. */
export function readImage(text: string): Reading<string> {
  if (reference.test(text) || /^sha256:[0-9a-f]{64}$/.test(text)) return good(text);
  if (text !== text.trim() || /\s/.test(text))
    return bad("is no image reference", "take the blanks out");
  const [name = ""] = text.split(/[:@](?!.*\/)/);
  if (/[A-Z]/.test(name.split("/").at(-1) ?? ""))
    return bad("is no image reference", "write the repository in lower case");
  return bad("is no image reference", "write it as name:tag or registry/name:tag");
}

// Linux's numbers; 0 is no signal.
const signals = (
  "- HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN " +
  "TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS"
).split(" ");

/** A signal by name or number, in one form: `SIGTERM`, `SIGRTMIN+3`. */
export function readSignal(text: string): Reading<string> {
  if (/^\d+$/.test(text)) {
    const name = signals[Number(text)];
    if (Number(text) >= 34 && Number(text) <= 64) return good(text);
    return name === undefined || name === "-" ? bad("is no signal number") : good(`SIG${name}`);
  }
  const name = text.toUpperCase().replace(/^SIG/, "");
  const realTime = /^RTMIN(\+([1-9]|1[0-5]))?$|^RTMAX(-([1-9]|1[0-4]))?$/.test(name);
  if (realTime || signals.includes(name)) return good(`SIG${name}`);
  const hint = hintFor(
    `SIG${name}`,
    signals.slice(1).map((known) => `SIG${known}`),
  );
  return bad("is no signal", hint ?? "write a name such as SIGTERM");
}

const policies = ["no", "always", "unless-stopped", "on-failure", "on-failure:5"];

/** A restart policy in one form: `on-failure:0` is `on-failure`. */
export function readRestart(text: string): Reading<string> {
  const retries = /^on-failure:(\d{1,9})$/.exec(text);
  if (retries !== null)
    return good(Number(retries[1]) === 0 ? "on-failure" : `on-failure:${Number(retries[1])}`);
  if (policies.includes(text)) return good(text);
  return bad("is no restart policy", text === "false" ? "write no" : hintFor(text, policies));
}

/** A name of a host, as the engine takes it; placeholders come in their own length. */
export function readHostname(text: string): Reading<string> {
  const sample = expandText(text, { slot: 1, group: "a", uid: "a", taskId: "a", workerName: "a" });
  if (sample.length <= 63 && /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(sample))
    return good(text);
  return bad("is no name of a host", "use letters, digits and dashes, 63 characters at most");
}

/** `user`, `1000`, `user:group`. */
export function readUser(text: string): Reading<string> {
  return /^[^\s:]+(:[^\s:]+)?$/.test(text)
    ? good(text)
    : bad("is no user", "write it as user or user:group");
}

export function readWorkingDir(text: string): Reading<string> {
  return text.startsWith("/")
    ? good(text)
    : bad("is no absolute path", "write the path in the container, /path");
}

/** A group by name or number. */
export function readGroup(text: string): Reading<string> {
  return /^[^\s:]+$/.test(text)
    ? good(text)
    : bad("is no group", "write the name or the number of one");
}

/** An OCI runtime by the name that the engine has for it. */
export function readRuntime(text: string): Reading<string> {
  return /^\S+$/.test(text)
    ? good(text)
    : bad("is no name of a runtime", "write it as the engine names it, such as runc");
}
