// How a worker that wgctl made may differ from the container that docker compose makes of the same service, and why.

/** What stands at a path on either side, as JSON; undefined: nothing. */
export type Difference = {
  readonly path: string;
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
};

/** Lists whose order means nothing. */
const SETS = /^Config\.Env$|^Config\.ExposedPorts$|^HostConfig\.SecurityOpt$|\.aliases$/;

/** Member by member, lists without an order too; any other list is one value. */
export function differencesOf(theirs: unknown, ours: unknown, path = ""): readonly Difference[] {
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return [];
  if (SETS.test(path)) return setDifferences(textsOf(theirs), textsOf(ours), path);
  if (isRecord(theirs) || isRecord(ours)) {
    const [one, other] = [recordOf(theirs), recordOf(ours)];
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
    const below = (key: string) => (path === "" ? key : `${path}.${key}`);
    return keys.flatMap((key) => differencesOf(one[key], other[key], below(key)));
  }
  return [{ path, theirs: JSON.stringify(theirs), ours: JSON.stringify(ours) }];
}

function setDifferences(
  theirs: readonly string[],
  ours: readonly string[],
  path: string,
): readonly Difference[] {
  return [
    ...theirs
      .filter((each) => !ours.includes(each))
      .map((each) => ({ path, theirs: each, ours: undefined })),
    ...ours
      .filter((each) => !theirs.includes(each))
      .map((each) => ({ path, theirs: undefined, ours: each })),
  ];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

type Members = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}

export type Accepted = {
  readonly because: string;
  readonly accepts: (difference: Difference) => boolean;
};

const isTheirs = ({ ours }: Difference) => ours === undefined;
const isOurs = ({ theirs }: Difference) => theirs === undefined;

/** Every difference there may be; one that never occurs any more has to go. */
export const ACCEPTED: Readonly<Record<string, Accepted>> = {
  "labels of Compose": {
    because: "by them Compose knows its own: it would take a worker that has them away",
    accepts: (each) => each.path.startsWith("Config.Labels.com.docker.compose.") && isTheirs(each),
  },
  "labels of wgctl": {
    because: "by them wgctl knows its own",
    accepts: (each) => each.path.startsWith("Config.Labels.dev.wgctl.") && isOurs(each),
  },
  "who it is": {
    because: "WGCTL_GROUP, WGCTL_SLOT and WGCTL_TASK_ID tell a worker which of them it is",
    accepts: (each) =>
      each.path === "Config.Env" && isOurs(each) && /^WGCTL_[A-Z_]+=/.test(each.ours ?? ""),
  },
  "attached streams": {
    because: "Compose shows what a container writes while it is up; nobody is attached to a worker",
    accepts: (each) => /^Config\.AttachStd(out|err)$/.test(each.path) && isTheirs(each),
  },
  "the container's name as an alias": {
    because: "the engine finds a container by its name in its networks anyhow",
    accepts: (each) => each.path.endsWith(".aliases") && isTheirs(each),
  },
  "an equals sign in security options": {
    because: "Compose passes on what is written; the engine reads a colon as an equals sign",
    accepts: ({ path, theirs, ours }) =>
      path === "HostConfig.SecurityOpt" && SAME_OPTIONS.includes(theirs ?? ours ?? ""),
  },
  "no restart where the container must not come back": {
    because: "a runner that registers once needs a new container; `onExit: Recreate` makes it",
    accepts: ({ path, theirs, ours }) =>
      path === "HostConfig.RestartPolicy.Name" && theirs === '"always"' && ours === undefined,
  },
  "exposed ports that nobody publishes": {
    because: "`expose` opens nothing: whoever is in its network reaches a container on every port",
    accepts: (each) => each.path === "Config.ExposedPorts" && isTheirs(each),
  },
};

/** Each in both forms. */
const SAME_OPTIONS = ["no-new-privileges", "seccomp"].flatMap((key) =>
  ["true", "unconfined"].flatMap((value) => [`${key}:${value}`, `${key}=${value}`]),
);

/** The name under which a difference is accepted; undefined: it is not. */
export function acceptedAs(difference: Difference): string | undefined {
  return Object.entries(ACCEPTED).find(([, { accepts }]) => accepts(difference))?.[0];
}
