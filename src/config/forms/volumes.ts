// The short form of a mount, `[source:]target[:options]`. A source that begins with `/`, `.` or `~` is a path on the
// host, any other one the name of a volume.

import { expandText } from "../../core/placeholders.ts";
import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

/** A mount whose source is still as written. */
export type MountDraft = {
  readonly type: "bind" | "volume";
  readonly source?: string;
  readonly target: string;
  readonly read_only?: true;
  readonly selinux?: "z" | "Z";
};

const laterOptions = "nocopy cached delegated consistent shared slave private".split(" ");

export function readMount(text: string): Reading<MountDraft> {
  const parts = text.split(":");
  if (parts.length > 3)
    return bad("is no mount", "write it as ./folder:/target:ro or volume:/target");
  const [first = "", second, options] = parts;
  const target = readTarget(second ?? first);
  if (!target.ok) return target;
  const flags = readOptions(options);
  if (!flags.ok) return flags;
  const source = second === undefined ? good({ type: "volume" as const }) : readSource(first);
  if (!source.ok) return source;
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
  return bad("has no valid volume name", "use letters, digits, dots, dashes and underscores");
}

type Flags = Pick<MountDraft, "read_only" | "selinux">;

function readOptions(text: string | undefined): Reading<Flags> {
  let flags: Flags = {};
  for (const option of text?.split(",") ?? []) {
    if (option === "ro") flags = { ...flags, read_only: true };
    else if (option === "z" || option === "Z") flags = { ...flags, selinux: option };
    else if (option !== "rw") return refuseOption(option);
  }
  return good(flags);
}

function refuseOption(option: string): Reading<never> {
  const known = ["ro", "rw", "z", "Z"];
  const isLater = laterOptions.includes(option) || /^r(shared|slave|private)$/.test(option);
  return isLater
    ? bad(`has the option ${option}, which is not supported by this version`, "use ro, rw, z or Z")
    : bad("has an unknown option", hintFor(option, known));
}
