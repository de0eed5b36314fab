// What inspect says of a container in a form that two of them can be compared in: without what the engine gave it, and
// without ids, times, paths of this machine and the order of what has none. Shared by the recording and by tests.

/** @typedef {Readonly<Record<string, unknown>>} Json */
/** @typedef {{ Type: string, Name?: string, Source: string, Destination: string, Mode: string, RW: boolean, Propagation: string }} Point */
/** @typedef {{ Type: string, Source?: string, Target: string, BindOptions?: { CreateMountpoint?: boolean }, VolumeOptions?: { NoCopy?: boolean }, TmpfsOptions?: { SizeBytes?: number } }} Asked */
/** @typedef {Json & { Mounts: readonly Asked[] | null, Tmpfs?: Readonly<Record<string, string>>, MaskedPaths?: readonly string[] | null, RestartPolicy?: { Name?: string }, Ulimits: readonly { Name: string }[] | null, ExtraHosts: readonly string[] | null, CapAdd: readonly string[] | null, CapDrop: readonly string[] | null }} Host */
/** @typedef {Json & { Env: readonly string[] | null, ExposedPorts?: Json, Volumes?: Json | null, Labels: Readonly<Record<string, string>> }} Config */
/** @typedef {{ Id: string, Config: Config, HostConfig: Host, Mounts: readonly Point[], NetworkSettings: { Networks: Readonly<Record<string, { Aliases: readonly string[] | null }>> } }} Wire */
/** @typedef {{ folder: string, project: string }} Origin */

/** Of the engine's own making, and other on another engine. */
const ENGINES_OWN = new Set([
  ...[
    "MaskedPaths",
    "ReadonlyPaths",
    "CgroupnsMode",
    "ConsoleSize",
    "ContainerIDFile",
    "Isolation",
  ],
]);

/** Told once more, and in one form, by `Mounts` and `Tmpfs`. */
const MOUNT_FORMS = new Set(["Binds", "Mounts", "Tmpfs"]);

/** Where nothing and zero are not the same. */
const ZERO_COUNTS = new Set(["StopTimeout", "Init"]);

/**
 * @param {Wire} wire `GET /containers/{id}/json`
 * @param {Origin} origin
 * @returns {Json}
 */
export function normalInspect(wire, origin) {
  const { Config: config, HostConfig: host } = wire;
  const plain = {
    Config: {
      ...config,
      Env: sortedTexts(config.Env),
      ExposedPorts: Object.keys(config.ExposedPorts ?? {}).sort(),
      Labels: labelsOf(config.Labels),
      Volumes: Object.keys(config.Volumes ?? {}).sort(),
    },
    HostConfig: {
      ...Object.fromEntries(Object.entries(host).filter(([key]) => isAsked(key))),
      CapAdd: capabilities(host.CapAdd),
      CapDrop: capabilities(host.CapDrop),
      // A list of the engine's own, unless it was told to hide nothing.
      OpenPaths: host.MaskedPaths?.length === 0,
      ExtraHosts: sortedTexts(host.ExtraHosts),
      // Newer engines write out that there is none.
      RestartPolicy: host.RestartPolicy?.Name === "no" ? {} : host.RestartPolicy,
      Ulimits: [...(host.Ulimits ?? [])].sort((a, b) => (a.Name < b.Name ? -1 : 1)),
    },
    Mounts: mountsOf(wire),
    Tmpfs: tmpfsOf(wire),
    Networks: networksOf(wire),
  };
  return JSON.parse(portable(JSON.stringify(said(plain)), wire.Id, origin));
}

/** @param {string} key */
function isAsked(key) {
  return !ENGINES_OWN.has(key) && !MOUNT_FORMS.has(key);
}

/**
 * Without what is empty or zero; keys sorted.
 *
 * @param {any} value
 * @returns {any}
 */
function said(value) {
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.keys(value)
    .sort()
    .map((key) => /** @type {const} */ ([key, said(value[key])]))
    .filter(([key, member]) =>
      ZERO_COUNTS.has(key) ? member !== null && member !== undefined : !isNothing(member),
    );
  return Object.fromEntries(members);
}

/** @param {any} value */
function isNothing(value) {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === 0 || value === false;
}

/** @param {readonly string[] | null} texts */
function sortedTexts(texts) {
  return [...(texts ?? [])].sort();
}

/**
 * What Compose knows its own by holds digests of paths; that it is there is enough.
 *
 * @param {Readonly<Record<string, string>>} labels
 */
function labelsOf(labels) {
  const entries = Object.entries(labels).map(([key, value]) =>
    /^(com\.docker\.compose|dev\.wgctl)\./.test(key) ? [key, "…"] : [key, value],
  );
  return Object.fromEntries(entries);
}

/**
 * Newer engines write the whole name.
 *
 * @param {readonly string[] | null} names
 */
function capabilities(names) {
  return sortedTexts((names ?? []).map((name) => name.replace(/^CAP_/, "")));
}

/**
 * By target, whichever way each was asked for: what is mounted how, and whether the engine may make its folder.
 *
 * @param {Wire} wire
 */
function mountsOf({ Mounts: points, HostConfig: host }) {
  const long = new Map((host.Mounts ?? []).map((each) => [each.Target, each]));
  const lasting = points.filter(({ Type }) => Type !== "tmpfs");
  const entries = lasting.map((point) => {
    const asked = long.get(point.Destination);
    const isAnonymous = point.Type === "volume" && asked !== undefined && !asked.Source;
    const labels = /\b[zZ]\b/.exec(asked === undefined ? point.Mode : "")?.[0];
    const mount = {
      type: point.Type,
      source: point.Type === "volume" ? (isAnonymous ? "" : point.Name) : point.Source,
      readOnly: !point.RW,
      propagation: point.Propagation,
      relabel: labels,
      mustExist: asked?.Type === "bind" && !asked.BindOptions?.CreateMountpoint,
      noCopy: asked?.VolumeOptions?.NoCopy ?? /\bnocopy\b/.test(point.Mode),
    };
    return [point.Destination, mount];
  });
  return Object.fromEntries(entries);
}

/**
 * By target, as mount options between brackets.
 *
 * @param {Wire} wire
 */
function tmpfsOf({ HostConfig: { Tmpfs: short, Mounts: asked } }) {
  const long = (asked ?? []).filter(({ Type }) => Type === "tmpfs");
  const sizes = long.map(({ Target, TmpfsOptions: options }) => [
    Target,
    options?.SizeBytes ? `size=${options.SizeBytes}` : "",
  ]);
  const all = { ...short, ...Object.fromEntries(sizes) };
  return Object.fromEntries(
    Object.entries(all).map(([target, options]) => [target, `[${options}]`]),
  );
}

/**
 * Aliases by network, without the one that old engines make of the id.
 *
 * @param {Wire} wire
 */
function networksOf({ Id: id, NetworkSettings: { Networks: networks } }) {
  const entries = Object.entries(networks).map(([name, { Aliases: aliases }]) => [
    name,
    { attached: true, aliases: sortedTexts(aliases).filter((alias) => alias !== id.slice(0, 12)) },
  ]);
  return Object.fromEntries(entries);
}

/**
 * @param {string} text
 * @param {string} id
 * @param {Origin} origin
 */
function portable(text, id, { folder, project }) {
  return text
    .replaceAll(id.slice(0, 12), "{id}")
    .replaceAll(folder, "{folder}")
    .replaceAll(`"${project}_`, '"{project}_')
    .replaceAll(`"${project}-`, '"{project}-');
}
