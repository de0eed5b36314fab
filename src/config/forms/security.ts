// Security options, `key=value` or in the older form `key:value`.

import { canonicalSecurityOption } from "../../core/security-option.ts";
import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

const keys = ["no-new-privileges", "seccomp", "apparmor", "label", "systempaths"] as const;
const PROFILE = "seccomp=";
const ownProfiles = ["unconfined", "builtin"];

/** An option in one form; the file of a seccomp profile is still as written. */
export function readSecurityOption(text: string): Reading<string> {
  const option = canonicalSecurityOption(text);
  const [key = "", ...rest] = option.split("=");
  const value = rest.join("=");
  if (!keys.some((known) => known === key))
    return bad("is no security option", hintFor(key, keys) ?? "write one such as label=disable");
  if (value === "") return bad("has no value", `write ${key}=...`);
  if (key === "no-new-privileges" && value !== "true" && value !== "false")
    return bad("is neither true nor false", "write no-new-privileges=true");
  if (key === "systempaths" && value !== "unconfined")
    return bad("has no such value", "write systempaths=unconfined");
  return good(option);
}

/** The file that an option takes its profile from; undefined: it names none. */
export function profileFile(option: string): string | undefined {
  if (!option.startsWith(PROFILE)) return undefined;
  const value = option.slice(PROFILE.length);
  return ownProfiles.includes(value) ? undefined : value;
}

/** The option that holds a profile itself. */
export function profileOption(json: string): string {
  return `${PROFILE}${json}`;
}

/** JSON without the blanks around its marks; undefined where the text is no JSON. Numbers keep all their digits. */
export function compactJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? "");
}
