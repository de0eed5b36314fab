// wgctl.yaml -> Project, read with all its problems.

import { dirname, resolve } from "node:path";
import type { Problem, Project } from "../core/model.ts";
import { displayPath, readSource } from "./files.ts";
import { describeIssues } from "./issues.ts";
import { hintUid, problemAt, problemOfFile } from "./problems.ts";
import { type ProjectDraft, project as schema } from "./schema/project.ts";
import { toPlain } from "./tree.ts";
import { parseYaml } from "./yaml.ts";

export type ProjectReading = {
  /** Undefined: it cannot be read; `problems` says why. */
  readonly project: Project | undefined;
  readonly problems: readonly Problem[];
};

/** Reads the wgctl.yaml at a path. Never throws. */
export async function loadProject(path: string, cwd: string): Promise<ProjectReading> {
  const source = readSource(path, cwd);
  if ("message" in source) return { project: undefined, problems: [source] };
  const [document, second] = parseYaml(source);
  if (document === undefined)
    return failed(
      problemOfFile(displayPath(path, cwd), {
        message: "an empty project file",
        hint: "`wgctl init` writes one",
      }),
    );
  if (document.root === undefined || document.problems.length > 0)
    return { project: undefined, problems: document.problems.map(({ problem }) => problem) };
  if (second?.root !== undefined)
    return failed(
      problemAt(source, second.root.span, [], {
        message: "a second document",
        hint: "keep one Project",
      }),
    );
  const parsed = schema.safeParse(toPlain(document.root));
  if (parsed.success)
    return { project: makeProject(parsed.data, dirname(resolve(path))), problems: [] };
  const problems = describeIssues(parsed.error.issues, source, document.root);
  return { project: undefined, problems: problems.map((problem) => hintUid(problem)) };
}

function failed(problem: Problem): ProjectReading {
  return { project: undefined, problems: [problem] };
}

function makeProject({ metadata, spec }: ProjectDraft, root: string): Project {
  return {
    ...metadata,
    root,
    manifests: (spec?.manifests ?? ["."]).map((path) => resolve(root, path)),
    context: spec?.engine?.context ?? undefined,
    actionsPerPass: spec?.budget?.actionsPerPass ?? 100,
    env: spec?.env ?? [],
    prune: spec?.prune ?? false,
  };
}
