// The short form of a mount, `[source:]target[:options]`. A source that begins with `/`, `.` or `~` is a path on the
// host, any other one the name of a volume.

import { expandText } from "../../core/placeholders.ts";
import type { Mount } from "../../core/template.ts";
import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

/** A mount whose source is still as written. */
export type MountDraft = Mount;

export function readMount(text: string): Reading<MountDraft> {
  const parts = text.split(":");
  if (parts.length > 3)
    return bad("is no mount", "write it as ./folder:/target:ro or volume:/target");
  const [first = "", second, options] = parts;
  const target = readTarget(second ?? first);
  if (!target.ok) return target;
  const source = second === undefined ? good({ type: "volume" as const }) : readSource(first);
  if (!source.ok) return source;
  const flags = readOptions(options, source.value.type);
  if (!flags.ok) return flags;
  return good({ ...source.value, target: target.value, ...flags.value });
}

export function readTarget(text: string): Reading<string> {
  if (!text.startsWith("/"))
    return bad("has no absolute path in the container", "write the target as /path");
  if (expandText(text, sampleValues) !== text)
    return bad("has a placeholder in its target", "only the source of a mount may hold one");
  const path = text.replace(/\/+/g, "/").replace(/(?<=.)\/$/, "");
  return path === "/" ? bad("would cover the whole container", "mount below /") : good(path);
}

/** As long as they may be: the engine takes no name of a single character. */
const sampleValues = { slot: 1, group: "aa", uid: "aa", taskId: "aa", workerName: "aa" };

function readSource(text: string): Reading<Pick<MountDraft, "type" | "source">> {
  if (/^[./~]/.test(text)) return good({ type: "bind", source: text });
  const name = readVolumeName(text);
  return name.ok ? good({ type: "volume", source: name.value }) : name;
}

/** The name of a volume as the engine knows it; may hold placeholders. */
export function readVolumeName(text: string): Reading<string> {
  const sample = expandText(text, sampleValues);
  if (/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(sample)) return good(text);
  if (text.includes("/"))
    return bad("has no valid volume name", `a folder on the host begins with ./ or /: ./${text}`);
  return bad(
    "has no valid volume name",
    "use two characters or more: letters, digits, dots, dashes and underscores",
  );
}

type Flags = Pick<MountDraft, "read_only" | "selinux" | "propagation" | "nocopy">;

/** How mounts made later are seen on the other side of a bind. */
export const propagations = [
  "private",
  "rprivate",
  "shared",
  "rshared",
  "slave",
  "rslave",
] as const satisfies readonly NonNullable<Mount["propagation"]>[];

/** Of Docker on macOS; here they mean nothing. */
export const consistencies = ["consistent", "cached", "delegated", "default"] as const;

const others: Readonly<Record<string, Flags>> = {
  rw: {},
  ro: { read_only: true },
  z: { selinux: "z" },
  Z: { selinux: "Z" },
  nocopy: { nocopy: true },
  ...Object.fromEntries(consistencies.map((name) => [name, {}])),
  ...Object.fromEntries(propagations.map((propagation) => [propagation, { propagation }])),
};

function readOptions(text: string | undefined, type: MountDraft["type"]): Reading<Flags> {
  let flags: Flags = {};
  for (const option of text?.split(",") ?? []) {
    const flag = Object.hasOwn(others, option) ? others[option] : undefined;
    if (flag === undefined) return bad("has an unknown option", hintOption(option));
    if (flag.propagation && type === "volume")
      return bad(
        `has the option ${option}, which only a folder of the host can have`,
        "take it out",
      );
    if (flag.nocopy && type === "bind")
      return bad("has the option nocopy, which only a volume can have", "take it out");
    flags = { ...flags, ...flag };
  }
  return good(flags);
}

function hintOption(option: string): string {
  const near = hintFor(option, Object.keys(others), 0);
  return near ?? "write ro, rw, z, Z, nocopy, or a propagation such as rslave";
}

/** A folder within a volume. */
export function readSubpath(text: string): Reading<string> {
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length > 0 && !parts.includes("..") && !text.startsWith("/"))
    return good(parts.join("/"));
  return bad("is no folder within a volume", "write a relative path without ..");
}

/** Permissions of a file or folder, in octal as `chmod` takes them; without leading zeros. */
export function readMode(text: string): Reading<string> {
  if (/^0o?[0-7]{3,4}$/.test(text)) return good(text.replace(/^0o?0*/, "") || "0");
  const isPlain = /^[0-7]{3,4}$/.test(text);
  return bad(
    "is no mode in octal",
    isPlain ? `write 0${text}, since ${text} alone is decimal to Compose` : "write it as 0755",
  );
}
