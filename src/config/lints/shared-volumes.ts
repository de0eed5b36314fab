// shared-volume: several workers write to one folder or volume.

import { expandText } from "../../core/placeholders.ts";
import type { SpecDraft } from "../schema/spec-fields.ts";
import type { LintFinding } from "./lint.ts";

/** Sockets, devices and what the kernel shows are made to be shared. */
const madeToBeShared = /\.sock$|^(\/var)?\/run\/|^\/(dev|proc|sys)(\/|$)/;

export function judgeSharedVolumes({ replicas, template }: SpecDraft): readonly LintFinding[] {
  if (replicas < 2) return [];
  return (template.volumes ?? []).flatMap((mount, index): readonly LintFinding[] => {
    if (mount.type === "tmpfs" || mount.read_only === true || mount.source === undefined) return [];
    const { source, target } = mount;
    if (!isSame(source) || (mount.type === "bind" && madeToBeShared.test(source))) return [];
    return [
      {
        path: ["spec", "template", "volumes", index],
        message: `${replicas} workers write to the same ${mount.type === "bind" ? "folder" : "volume"} ${source}`,
        hint: `give each its own ("${source}-{{.Task.Slot}}:${target}"), or make it read-only (:ro)`,
      },
    ];
  });
}

/** Whether two workers get the same source. */
function isSame(source: string): boolean {
  const shared = { group: "a", uid: "a" };
  const one = { ...shared, slot: 1, taskId: "a", workerName: "a" };
  const other = { ...shared, slot: 2, taskId: "b", workerName: "b" };
  return expandText(source, one) === expandText(source, other);
}
