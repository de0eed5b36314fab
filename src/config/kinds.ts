// Whose document a YAML document is, and what to say of one that is not a WorkerGroup of this version.

import type { Problem } from "../core/model.ts";
import { problemAt, spanOf } from "./problems.ts";
import { apiVersion } from "./schema/group.ts";
import type { Source } from "./source.ts";
import { type Node, textAt } from "./tree.ts";

/** True for a document that is meant for wgctl, however wrong it may be. */
export function isOurs(root: Node): boolean {
  const version = textAt(root, ["apiVersion"]) ?? "";
  return version.startsWith("wgctl.dev/") || textAt(root, ["kind"]) === "WorkerGroup";
}

/** A broken file may still be ours; better one error too many than a group that seems to be gone. */
export function mentionsUs(text: string): boolean {
  return /^\s*(- )?["']?(apiVersion["']?\s*:.*wgctl|kind["']?\s*:.*WorkerGroup)/m.test(text);
}

/** What is wrong with a document's kind and version; undefined for a WorkerGroup of this version. */
export function checkKind(root: Node, source: Source): Problem | undefined {
  const about = (path: readonly string[], message: string, hint: string) =>
    problemAt(source, spanOf(root, path), path, { message, hint });
  if (root.kind !== "map")
    return about([], "a document that is no mapping", `begin it with apiVersion: ${apiVersion}`);
  const kind = textAt(root, ["kind"]);
  const version = textAt(root, ["apiVersion"]);
  if (version === apiVersion && kind === "WorkerGroup") return undefined;
  if (version === apiVersion && kind === "Project") {
    const hint = "it belongs into wgctl.yaml at the root of the manifests";
    return about(["kind"], "a Project among the groups", hint);
  }
  const path = kind === "WorkerGroup" ? ["apiVersion"] : ["kind"];
  const found = `apiVersion ${version ?? "(none)"}, kind ${kind ?? "(none)"}`;
  const hint = root.entries.has("services")
    ? "a compose file is no manifest; `wgctl import` makes manifests of its services"
    : `write apiVersion: ${apiVersion} and kind: WorkerGroup`;
  return about(path, `no WorkerGroup of this version: ${found}`, hint);
}
