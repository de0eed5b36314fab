import { expect, test } from "vitest";
import { locateStateFolder, type StateFolderInputs } from "../../src/store/state-folder.ts";

function inputs(changes: Partial<StateFolderInputs>): StateFolderInputs {
  return {
    flag: undefined,
    environment: undefined,
    workingFolder: "/home/me",
    projectRoot: undefined,
    context: undefined,
    projectContext: undefined,
    ...changes,
  };
}

test.each<readonly [string, Partial<StateFolderInputs>, string]>([
  ["nothing given", {}, "/home/me/.wgctl"],
  ["a project", { projectRoot: "/srv/payments" }, "/srv/payments/.wgctl"],
  ["the environment", { environment: "/var/lib/w", projectRoot: "/srv/p" }, "/var/lib/w"],
  ["an empty environment", { environment: "" }, "/home/me/.wgctl"],
  ["the flag before the environment", { flag: "/a", environment: "/b" }, "/a"],
  ["a relative flag", { flag: "state", projectRoot: "/srv/p" }, "/home/me/state"],
  ["the flag whatever the context", { flag: "/a", context: "staging" }, "/a"],
  ["another context", { context: "staging" }, "/home/me/.wgctl/staging"],
  ["the project's context", { context: "live", projectContext: "live" }, "/home/me/.wgctl"],
  ["no context asked for", { projectContext: "live" }, "/home/me/.wgctl"],
  ["a context that climbs", { context: "../../etc" }, "/home/me/.wgctl/______etc-74ccf3c5"],
  ["a context with a dot", { context: "a.b" }, "/home/me/.wgctl/a_b-2e7336dc"],
])("%s", (_name, changes, folder) => {
  expect(locateStateFolder(inputs(changes))).toBe(folder);
});

test("two contexts never share a folder", () => {
  const at = (context: string) => locateStateFolder(inputs({ context }));
  expect(new Set(["a.b", "a_b", "a+b"].map(at)).size).toBe(3);
});
