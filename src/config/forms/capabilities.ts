// Capabilities of Linux by name.

import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

const capabilities = (
  "ALL AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE DAC_READ_SEARCH " +
  "FOWNER FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN " +
  "NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT " +
  "SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM"
).split(" ");

/** A capability in upper case and without `CAP_`, or `ALL`. */
export function readCapability(text: string): Reading<string> {
  const name = text.toUpperCase().replace(/^CAP_/, "");
  if (capabilities.includes(name)) return good(name);
  return bad("is no capability", hintFor(name, capabilities) ?? "write a name such as NET_ADMIN");
}
