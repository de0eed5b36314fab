// What an import needs around it: networks and files that have to be there, variables, and Compose that has to let go.

import { dirname, join, relative, resolve } from "node:path";
import { numberIn } from "./choose.ts";
import { type Context, type Draft, inNumber, listed } from "./draft.ts";
import { requiredEnvFiles } from "./paths.ts";
import { isSettled } from "./texts.ts";
import { fieldsOf, namesIn, textOf } from "./value.ts";
import { type ComposeVariables, describeVariables } from "./variables-needed.ts";

type Around = {
  readonly path: string;
  readonly folder: string;
  readonly cwd: string;
  readonly exists: (path: string) => boolean;
};

/** Sentences for these drafts; none where there are no drafts. */
export function describeSurroundings(
  drafts: readonly Draft[],
  context: Context,
  variables: ComposeVariables,
  around: Around,
): readonly string[] {
  if (drafts.length === 0) return [];
  return [
    ...describeOtherFiles(context, around),
    ...describeNetworks(drafts),
    ...describeVolumes(drafts, context),
    ...describeMissing(drafts, around),
    ...describeVariables(drafts, variables),
    ...describeSiblings(drafts, context),
    describeCompose(drafts),
  ];
}

const OVERRIDES = /^((?:docker-)?compose)\.(ya?ml)$/;

function describeOtherFiles({ file }: Context, { path, exists, cwd }: Around): readonly string[] {
  const included = file.fields.has("include")
    ? [
        "include is not followed: import from those files by themselves, with the same --project-name",
      ]
    : [];
  const name = OVERRIDES.exec(path.split("/").at(-1) ?? "");
  const overrides = name === null ? [] : [`${name[1]}.override.yaml`, `${name[1]}.override.yml`];
  const found = overrides.map((one) => join(dirname(path), one)).filter(exists);
  return [
    ...included,
    ...found.map(
      (one) => `${relative(cwd, one)} is not read, which Compose merges in: look what it changes`,
    ),
  ];
}

function describeNetworks(drafts: readonly Draft[]): readonly string[] {
  const names = [...new Set(drafts.flatMap(({ template }) => namesIn(template.get("networks"))))];
  if (names.length === 0) return [];
  const [network, them] = [
    inNumber(names.length, "network", "networks"),
    inNumber(names.length, "it", "them"),
  ];
  return [
    `the ${network} ${listed(names)} must be there: docker compose up makes ${them}, or docker network create`,
  ];
}

/** The engine makes a volume that is missing, but knows nothing of drivers and their options. */
function describeVolumes(drafts: readonly Draft[], { file }: Context): readonly string[] {
  const special = [...fieldsOf(file.fields.get("volumes"))]
    .filter(([, volume]) => ["driver", "driver_opts"].some((name) => fieldsOf(volume).has(name)))
    .map(([name]) => name);
  const used = special.filter((name) =>
    drafts.some(({ services }) =>
      services.some((service) => JSON.stringify(mountsOf(service, file)).includes(name)),
    ),
  );
  return used.map(
    (name) =>
      `the volume ${name} has a driver or options of its own: make it with docker compose or docker volume create first`,
  );
}

function mountsOf(service: string, file: Context["file"]): readonly string[] {
  const volumes = file.services.get(service)?.fields.get("volumes");
  return volumes?.kind === "list"
    ? volumes.items.flatMap((item) => textOf(item) ?? textOf(fieldsOf(item).get("source")) ?? [])
    : [];
}

function describeMissing(
  drafts: readonly Draft[],
  { folder, cwd, exists }: Around,
): readonly string[] {
  const named = drafts.flatMap(({ template, rest }) => [
    ...requiredEnvFiles(template.get("env_file")).map(({ text }) => text),
    ...["secrets", "configs"].flatMap((kind) =>
      [...fieldsOf(rest.get(kind)).values()].flatMap(
        (one) => textOf(fieldsOf(one).get("file")) ?? [],
      ),
    ),
  ]);
  const missing = [...new Set(named)].filter(
    (path) => isSettled(path) && !exists(resolve(folder, path)),
  );
  if (missing.length === 0) return [];
  const shown = missing.map((path) => relative(cwd, resolve(folder, path)));
  const are = inNumber(shown.length, "is", "are");
  return [
    `${listed(shown)} ${are} not here: the ${inNumber(drafts.length, "manifest is", "manifests are")} not valid before`,
  ];
}

/** Copies of which only some were named. */
function describeSiblings(drafts: readonly Draft[], { file }: Context): readonly string[] {
  const imported = drafts.flatMap(({ services }) => services);
  return imported.flatMap((service) => {
    const family = numberIn(service)?.family;
    const others = [...file.services.keys()].filter(
      (name) => numberIn(name)?.family === family && !imported.includes(name),
    );
    if (family === undefined || others.length === 0) return [];
    return [
      `${listed(others)} may be the same as ${service}: name them too, and they become one group if they are`,
    ];
  });
}

function describeCompose(drafts: readonly Draft[]): string {
  const services = drafts.flatMap((draft) => draft.services).join(" ");
  return `before the first apply, docker compose stop ${services}, or have wgctl adopt replace what runs one by one: else both run workers`;
}
