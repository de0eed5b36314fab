// The page of every key of a Compose service, and what becomes of it: made from what the schemas and the import say.

import { type Treatment, treatments } from "../../src/config/import/treatments.ts";
import { groupNotes } from "../../src/config/schema/notes.ts";
import {
  bindStrangers,
  deployStrangers,
  healthStrangers,
  limitStrangers,
  mountStrangers,
  networkStrangers,
  reservationStrangers,
  templateStrangers,
  volumeOptionStrangers,
} from "../../src/config/schema/strangers.ts";
import { templateFieldNames } from "../../src/config/schema/template.ts";

/** Of the Compose specification, in the middle of 2026. */
export const serviceKeys = (
  "annotations attach blkio_config build cap_add cap_drop cgroup cgroup_parent command configs container_name " +
  "cpu_count cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset credential_spec " +
  "depends_on deploy develop device_cgroup_rules devices dns dns_opt dns_search domainname entrypoint env_file " +
  "environment expose extends external_links extra_hosts gpus group_add healthcheck hostname image init ipc " +
  "isolation label_file labels links logging mac_address mem_limit mem_reservation mem_swappiness memswap_limit " +
  "models network_mode networks oom_kill_disable oom_score_adj pid pids_limit platform ports post_start pre_start " +
  "pre_stop privileged profiles provider pull_policy pull_refresh_after read_only restart runtime scale secrets " +
  "security_opt shm_size stdin_open stop_grace_period stop_signal storage_opt sysctls tmpfs tty ulimits " +
  "use_api_socket user userns_mode uts volumes volumes_from working_dir"
).split(" ");

const HEAD = `# Compose services in wgctl

Every key that Compose knows of a service, and what becomes of it: in \`spec.template\` of a [manifest](manifests.md#template), and
in \`wgctl import\`, which [makes manifests of a compose file](import.md). This page is made from the code by
\`UPDATE_GOLDEN=1 npx vitest run --project unit test/config/compose-page.test.ts\`, and a test holds it to that.

* **taken**: as it stands, in all forms that Compose takes. What it does in a container is what Compose would have it do.
* **translated**: its meaning stands elsewhere in the manifest.
* **left out**: it means nothing to a worker; the import says so.
* **refused**: it would mean something else or nothing, so a manifest with it is an error that says what to do instead, and a service with
  it is not imported until that is done.
`;

/** The whole page. */
export function composePage(): string {
  const keys = serviceKeys
    .toSorted()
    .map((key) => row(key, templateStrangers, `spec.template.${key}`));
  const inner = NESTED.flatMap(([path, strangers]) =>
    Object.keys({ ...strangers.refused, ...strangers.later })
      .toSorted()
      .map((key) => row(key, strangers, undefined, path)),
  );
  return [
    HEAD,
    table("key", keys),
    "Inside of keys that are taken, everything is, but for these:\n",
    table("key", inner),
  ].join("\n");
}

type Strangers = typeof templateStrangers;

const NESTED: readonly (readonly [path: string, strangers: Strangers])[] = [
  ["deploy.", deployStrangers],
  ["deploy.resources.limits.", limitStrangers],
  ["deploy.resources.reservations.", reservationStrangers],
  ["healthcheck.", healthStrangers],
  ["networks.*.", networkStrangers],
  ["volumes[].", mountStrangers],
  ["volumes[].bind.", bindStrangers],
  ["volumes[].volume.", volumeOptionStrangers],
];

function table(first: string, rows: readonly string[]): string {
  return [`| ${first} | in a manifest | in an import |`, "|---|---|---|", ...rows, ""].join("\n");
}

function row(key: string, strangers: Strangers, notePath?: string, path = ""): string {
  const instead = strangers.refused?.[key] ?? strangers.later?.[key];
  const treatment = treatments[`${path}${key}`];
  const isTaken = path === "" && templateFieldNames.includes(key);
  if (isTaken === (instead !== undefined))
    throw new Error(`nothing or too much is known of ${key}`);
  const manifest =
    instead === undefined ? `taken: ${noteAt(notePath ?? "")}` : `refused: ${instead}`;
  return `| \`${path}${key}\` | ${cell(manifest)} | ${cell(imported(treatment, isTaken))} |`;
}

function noteAt(path: string): string {
  const [sentence = ""] = groupNotes[path] ?? [];
  if (sentence === "") throw new Error(`no note on ${path}`);
  return sentence;
}

function imported(treatment: Treatment | undefined, isTaken: boolean): string {
  if (treatment === undefined) return isTaken ? "taken" : "refused";
  return `${treatment.kind === "dropped" ? "left out" : "translated"}: ${treatment.words}`;
}

/** Bars are columns to Markdown, and angle brackets are HTML. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/<([a-z]+)>/g, "&lt;$1&gt;");
}
