// One YAML document -> a group, or why not. A readable identity with a wrong spec is an invalid group, which blocks
// only itself; without a readable identity the whole run must stop.

import { mountFiles, type OpenFiles } from "../core/file-mounts.ts";
import type { DesiredGroup, GroupIdentity, GroupSpec, Place, Problem } from "../core/model.ts";
import { specDigest } from "../core/revision.ts";
import { type SensitivePlaces, sealTemplate } from "../core/seal.ts";
import { Secrets } from "../core/secrets.ts";
import { joinEnvironment } from "./environment.ts";
import { describeIssues } from "./issues.ts";
import { checkKind } from "./kinds.ts";
import { lintGroup } from "./lints/lint-group.ts";
import { normaliseSpec } from "./normalise.ts";
import type { Folders } from "./normalise-template.ts";
import { openFiles } from "./open-files.ts";
import { hintUid, spanOf } from "./problems.ts";
import { readProfiles } from "./profiles.ts";
import { identity, workerGroup } from "./schema/group.ts";
import { findSensitive, valuesFilledIn } from "./sensitive.ts";
import { placeAt, type Source, type Span } from "./source.ts";
import { resolveTexts } from "./texts.ts";
import { find, type MapNode, type Node, toPlain } from "./tree.ts";
import type { Variables } from "./variables.ts";
import type { YamlProblem } from "./yaml.ts";

/** Where a group says what no other group may say. */
export type IdentityPlaces = { readonly uid: Span; readonly name: Span; readonly adopt: Span };

export type DocumentReading = {
  readonly problems: readonly Problem[];
  /** Undefined: its identity cannot be read, or it is no WorkerGroup. */
  readonly group: DesiredGroup | undefined;
  readonly places: IdentityPlaces;
};

/** What a document is read with besides its own text. */
export type ReadContext = Folders & {
  readonly cwd: string;
  readonly variables: Variables;
  /** Whether lints that only advise are asked too. */
  readonly advice: boolean;
};

/** Reads one document with all its problems; `fromYaml` are those that YAML itself had with it. */
export function readGroup(
  root: Node,
  fromYaml: readonly YamlProblem[],
  source: Source,
  context: ReadContext,
): DocumentReading {
  const places = {
    uid: spanOf(root, ["metadata", "uid"]),
    name: spanOf(root, ["metadata", "name"]),
    adopt: spanOf(root, ["spec", "adopt"]),
  };
  const yamlProblems = fromYaml.map(({ problem }) => problem);
  const wrongKind = checkKind(root, source);
  if (wrongKind !== undefined)
    return { problems: [...yamlProblems, wrongKind], group: undefined, places };

  const known = readIdentity(root, fromYaml);
  const spec = readSpec(root, yamlProblems, source, context);
  const problems = [...yamlProblems, ...spec.problems];
  if (known === undefined) return { problems: problems.map(hintUid), group: undefined, places };
  const common = { ...known, place: placeAt(source, places.name.start) };
  if (spec.value === undefined || problems.some(isError))
    return { problems, group: { kind: "invalid", ...common, problems }, places };
  return { problems, group: sealGroup(common, spec.value), places };
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

type Common = Known & { readonly place: Place };

function sealGroup(common: Common, { adopt, spec, places, parts, files }: OpenSpec): DesiredGroup {
  const { uid } = common.identity;
  const texts = sealTemplate(spec.template, places, uid, parts);
  const { template, secrets: contents } = mountFiles(texts.template, files, uid);
  const secrets = [texts.secrets, contents].flatMap((some) => some ?? []);
  const sealed = { ...spec, template };
  return {
    kind: "valid",
    ...common,
    spec: sealed,
    ...(adopt.length > 0 && { adopt }),
    specDigest: specDigest(sealed),
    ...(secrets.length > 0 && { secrets: Secrets.union(secrets) }),
  };
}

/** A spec whose sensitive values are still in it. */
type OpenSpec = {
  readonly spec: GroupSpec;
  readonly adopt: readonly string[];
  readonly places: SensitivePlaces;
  readonly parts: readonly string[];
  readonly files: OpenFiles;
};

type SpecReading = {
  /** Undefined: it is wrong. */
  readonly value: OpenSpec | undefined;
  readonly problems: readonly Problem[];
};

function readSpec(
  root: Node,
  yamlProblems: readonly Problem[],
  source: Source,
  context: ReadContext,
): SpecReading {
  const { tree, problems: fromTexts } = resolveTexts(root, source, context.variables);
  const around = { ...context, root: tree, source };
  const joined = joinEnvironment(around);
  const profiles = readProfiles(around);
  const files = openFiles(around);
  const fromMounts = [...profiles.problems, ...files.problems];
  const fromFiles = [...joined.problems, ...withoutEchoes(fromTexts, fromMounts, [])];
  const parsed = workerGroup.safeParse(toPlain(tree));
  if (!parsed.success) {
    const fromSchema = describeIssues(parsed.error.issues, source, tree);
    const fresh = withoutEchoes(fromTexts, fromSchema, yamlProblems);
    return { value: undefined, problems: [...fromTexts, ...fresh, ...fromFiles] };
  }
  const parts = { environment: joined.values, profiles: profiles.options, folders: context };
  const spec = normaliseSpec(parsed.data.spec, parts);
  const places = findSensitive(tree, spec.template, joined.fromOutside);
  const lints = lintGroup(parsed.data.spec, tree, source, context.advice);
  return {
    value: {
      spec,
      adopt: parsed.data.spec.adopt ?? [],
      places,
      parts: [...valuesFilledIn(tree), ...joined.parts],
      files,
    },
    problems: [...fromTexts, ...fromFiles, ...lints],
  };
}

type Known = Pick<DesiredGroup, "identity" | "deletionTimestamp">;

function readIdentity(root: Node, fromYaml: readonly YamlProblem[]): Known | undefined {
  if (root.kind !== "map" || fromYaml.some(({ span }) => touchesIdentity(root, span)))
    return undefined;
  const metadata = find(root, ["metadata"])?.node;
  const known = metadata && identity.safeParse(toPlain(metadata));
  if (!known?.success) return undefined;
  const { deletionTimestamp, namespace, ...names } = known.data;
  return {
    identity: { ...names, namespace: namespace ?? "default" } satisfies GroupIdentity,
    deletionTimestamp: deletionTimestamp ?? undefined,
  };
}

function touchesIdentity(root: MapNode, span: Span): boolean {
  return ["apiVersion", "kind", "metadata"].some((name) => {
    const entry = root.entries.get(name);
    return (
      entry !== undefined && entry.key.start <= span.start && span.start <= entry.value.span.end
    );
  });
}

/** Without what only repeats an earlier finding: of a text that was wrong already, or on a line that YAML rejected. */
function withoutEchoes(
  fromTexts: readonly Problem[],
  found: readonly Problem[],
  fromYaml: readonly Problem[],
): readonly Problem[] {
  const paths = new Set(fromTexts.map((problem) => problem.path));
  const lines = new Set(fromYaml.map((problem) => problem.place.line));
  return found.filter(({ path, place }) => !paths.has(path) && !lines.has(place.line));
}
