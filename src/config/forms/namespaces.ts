// Which namespaces of the kernel a worker shares, and with whom.

import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

const ipcModes = ["private", "shareable", "host", "none"];
const pidModes = ["host"];

export function readIpc(text: string): Reading<string> {
  return readNamespace(text, "IPC", ipcModes);
}

export function readPid(text: string): Reading<string> {
  return readNamespace(text, "PID", pidModes);
}

function readNamespace(text: string, kind: string, modes: readonly string[]): Reading<string> {
  if (modes.includes(text) || /^container:./.test(text)) return good(text);
  if (text.startsWith("service:"))
    return bad("names a Compose service", "write container:NAME with the name of a container");
  const all = [...modes, "container:NAME"];
  return bad(`is no ${kind} mode`, hintFor(text, all));
}

/** `host`; the other modes are Podman's. */
export function readUserns(text: string): Reading<string> {
  if (/^(host|nomap|(auto|keep-id)(:\S+)?)$/.test(text)) return good(text);
  return bad(
    "is no mode of user namespaces",
    "write host; Podman also takes auto, keep-id and nomap",
  );
}
