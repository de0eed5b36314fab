// What an action is about and why, in words that plans and progress share.

import { plainName } from "../core/names.ts";
import type { Action } from "../core/plan/types.ts";

/** The worker an action is about, as it is called without its phase, or the image it pulls. */
export function subjectOf(action: Action): string {
  switch (action.kind) {
    case "pull-image":
      return action.image;
    case "create":
      return action.worker.name;
    case "start":
      return plainName(action.name);
    default:
      return plainName(action.target.name);
  }
}

/** `template-changed: environment.QUEUE`, `exited: exit code 1`: the reason and what it rests on, so many paths at most. */
export function whyText(why: Pick<Action, "reason" | "detail" | "paths">, mostPaths = 3): string {
  const { reason, detail, paths } = why;
  const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : "";
  const named = `${paths.slice(0, mostPaths).join(", ")}${more}`;
  const grounds = [named, detail].filter((each) => each !== "").join("; ");
  return grounds === "" ? reason : `${reason}: ${grounds}`;
}
