// A compose file -> manifests of worker groups, and what there is to say of them. Reads through a function that is
// passed in, and writes nothing.

import { basename, dirname, relative } from "node:path";
import type { Problem } from "../../core/model.ts";
import { interpolate } from "../interpolation.ts";
import { problemOfFile } from "../problems.ts";
import { hintFor } from "../suggest.ts";
import { checkDraft } from "./check.ts";
import { chooseServices, type LeftOut } from "./choose.ts";
import { type ComposeFile, type ReadFile, readComposeFile, type Service } from "./compose-file.ts";
import { joinCopies } from "./copies.ts";
import type { Context, Draft, Drafting } from "./draft.ts";
import { groupName, isProjectName, projectNameOf } from "./group-name.ts";
import { manifestText, noteText } from "./manifest-text.ts";
import { describeSurroundings } from "./surroundings.ts";
import { needsImage, translate } from "./translate.ts";
import { problemOf, textOf } from "./value.ts";
import { type ComposeVariables, readComposeVariables } from "./variables-needed.ts";

export type ImportRequest = {
  /** Absolute path of the compose file. */
  readonly path: string;
  /** Services to import; none: those that look like workers. */
  readonly services: readonly string[];
  readonly images: Readonly<Record<string, string>>;
  /** What `docker compose -p` would say. */
  readonly projectName: string | undefined;
  /** COMPOSE_PROJECT_NAME of the shell. */
  readonly shellProjectName: string | undefined;
  /** Absolute folder that the manifests are for. */
  readonly folder: string;
  readonly cwd: string;
  /** Whether copies become one group. */
  readonly grouped: boolean;
  /** The JSON Schema, seen from `folder`, where there is one. */
  readonly schema: string | undefined;
  readonly makeUid: () => string;
  readonly read: ReadFile;
  /** Whether there is something at an absolute path. */
  readonly exists: (path: string) => boolean;
};

export type ImportedGroup = {
  readonly name: string;
  readonly services: readonly string[];
  readonly text: string;
  /** What was changed and why, a sentence each. */
  readonly notes: readonly string[];
};

export type ImportResult = {
  readonly groups: readonly ImportedGroup[];
  readonly leftOut: readonly LeftOut[];
  /** What is to be known besides the groups, a sentence each. */
  readonly words: readonly string[];
  /** Errors in the compose file, and what keeps services from being imported. */
  readonly problems: readonly Problem[];
  /** Services among them that only lack an image. */
  readonly imageless: readonly string[];
};

/** Imports services of a compose file. Never throws: what is wrong is in `problems`. */
export function importCompose(request: ImportRequest): ImportResult {
  const reading = readComposeFile(request.path, request.read);
  if (reading.kind === "failed") return failed(reading.problems);
  const { file } = reading;
  const variables = readComposeVariables(request.path, request.read);
  const project = findProjectName(file, variables, request);
  if (typeof project !== "string") return failed([project]);
  const { chosen, leftOut, unknown } = chooseServices(file, request.services);
  const strangers = [
    ...unknown,
    ...Object.keys(request.images).filter((name) => !file.services.has(name)),
  ];
  if (strangers.length > 0)
    return failed(strangers.map((name) => noSuchService(name, file, request)));
  const context: Context = {
    file,
    project,
    way: relative(request.folder, dirname(request.path)),
    images: request.images,
    fill: (text) => fill(text, variables),
  };
  return { ...importServices(chosen, context, variables, request), leftOut };
}

function failed(problems: readonly Problem[]): ImportResult {
  return { groups: [], leftOut: [], words: [], problems, imageless: [] };
}

/** A text with what Compose's .env and defaults make of it; undefined where something is missing. */
function fill(text: string, { values }: ComposeVariables): string | undefined {
  const filled = interpolate(text, (name) => values.get(name));
  return filled.faults.length > 0 ? undefined : filled.text;
}

/** As Compose finds it: the option, the variable, the file's `name`, the folder's name. */
function findProjectName(
  { fields }: ComposeFile,
  variables: ComposeVariables,
  { projectName, shellProjectName, path, cwd }: ImportRequest,
): string | Problem {
  const written = textOf(fields.get("name"));
  const given =
    projectName ||
    shellProjectName ||
    variables.values.get("COMPOSE_PROJECT_NAME") ||
    (written === undefined ? undefined : fill(written, variables));
  const name = given ?? projectNameOf(basename(dirname(path)));
  if (isProjectName(name)) return name;
  const hint = "give one with --project-name: lower-case letters, digits, - and _";
  const message = `${JSON.stringify(name)} cannot be the name of a Compose project`;
  const at = given === undefined ? undefined : fields.get("name")?.origin;
  return at === undefined
    ? problemOfFile(relative(cwd, path), { message, hint })
    : problemOf(at, ["name"], { message, hint });
}

function noSuchService(
  name: string,
  { services, fields }: ComposeFile,
  { path, cwd }: ImportRequest,
): Problem {
  const message = `there is no service ${JSON.stringify(name)}`;
  const hint = hintFor(name, [...services.keys()], 20);
  const origin = fields.get("services")?.origin;
  return origin === undefined
    ? problemOfFile(relative(cwd, path), { message, hint })
    : problemOf(origin, ["services"], { message, hint });
}

function importServices(
  services: readonly Service[],
  context: Context,
  variables: ComposeVariables,
  request: ImportRequest,
): Omit<ImportResult, "leftOut"> {
  const draftings = services.map((service) => translate(service, context));
  const sound = draftings.filter(({ problems }) => problems.length === 0).map(finish);
  const joined = request.grouped ? joinCopies(sound, context.file) : { drafts: sound, words: [] };
  const checked = joined.drafts.map((draft) => checkOne(draft, joined.drafts, request));
  const good = checked.filter(({ problems }) => problems.length === 0);
  return {
    groups: good.map(({ draft, uid }) => groupOf(draft, uid, context, request)),
    words: [
      ...joined.words,
      ...describeSurroundings(
        good.map(({ draft }) => draft),
        context,
        variables,
        request,
      ),
    ],
    problems: [...draftings, ...checked].flatMap(({ problems }) => problems),
    imageless: services.filter((service) => needsImage(service, context)).map(({ name }) => name),
  };
}

function finish({ service, replicas, template, rest, notes }: Drafting): Draft {
  const { name, origin } = service;
  return { services: [name], name: groupName(name), origin, replicas, template, rest, notes };
}

type Checked = {
  readonly draft: Draft;
  readonly uid: string;
  readonly problems: readonly Problem[];
};

function checkOne(draft: Draft, drafts: readonly Draft[], request: ImportRequest): Checked {
  const uid = request.makeUid();
  const twin = drafts.find((other) => other !== draft && other.name === draft.name);
  if (twin !== undefined) {
    const message = `its group would be named ${draft.name}, as would that of ${twin.services.join()}`;
    const hint = "import them one by one with --service into two folders, or rename one";
    return {
      draft,
      uid,
      problems: [problemOf(draft.origin, ["services", draft.services.join()], { message, hint })],
    };
  }
  return { draft, uid, problems: checkDraft(draft, uid, request) };
}

function groupOf(
  draft: Draft,
  uid: string,
  { file }: Context,
  request: ImportRequest,
): ImportedGroup {
  const { cwd, path, schema } = request;
  const shown = relative(cwd, file.path) || path;
  const { name, services, notes } = draft;
  const text = manifestText(draft, { uid, schema, file: shown });
  return { name, services, text, notes: notes.map(noteText) };
}
