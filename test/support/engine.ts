// The engine under test as an outsider sees it: what exists, what happened, and cleaning up after one run.

import { randomBytes } from "node:crypto";
import { callApi, callJson, containersPath } from "../../scripts/lib/docker-api.mjs";

/** Label that tests put on whatever they make; its value is the run's id. */
export const RUN_LABEL = "wgctl-test-run";

/** A container as the list call shows it. */
export type ListedContainer = {
  readonly id: string;
  readonly name: string;
  /** `created`, `running`, `restarting`, `paused`, `removing`, `exited` or `dead`. */
  readonly state: string;
  /** By its health check, while it runs. */
  readonly isHealthy: boolean;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
};

type WireContainer = {
  Id: string;
  Names: string[];
  State: string;
  Status: string;
  ImageID: string;
  Labels: Record<string, string>;
};

/** Value for `DOCKER_HOST`. Throws outside the `engine` project of vitest. */
export function testHost(): string {
  const host = process.env["WGCTL_TEST_HOST"];
  if (!host) throw new Error("no engine: name the file *.real.test.ts or *.e2e.test.ts");
  return host;
}

/** A name for one test's things: short, unique, good as a label value and as part of a DNS label. */
export function newRunId(): string {
  return `t${randomBytes(4).toString("hex")}`;
}

/** Containers with the label `key=value` (or `key`), sorted by name, stopped ones too. */
export async function listContainers(
  label: string,
  host = testHost(),
): Promise<readonly ListedContainer[]> {
  const found: WireContainer[] = await callJson(host, "GET", containersPath({ label: [label] }));
  return found
    .map((wire) => ({
      id: wire.Id,
      name: (wire.Names[0] ?? "").slice(1),
      state: wire.State,
      isHealthy: wire.Status.includes("(healthy)"),
      image: wire.ImageID,
      labels: wire.Labels,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Creates and starts a container as somebody other than wgctl would; answers with its id. */
export async function runContainer(
  name: string,
  body: Readonly<Record<string, unknown>>,
  host = testHost(),
): Promise<string> {
  const path = `/containers/create?name=${encodeURIComponent(name)}`;
  const { Id: id }: { Id: string } = await callJson(host, "POST", path, { body });
  await callJson(host, "POST", `/containers/${id}/start`);
  return id;
}

/** Removes one container by force, as a person with `docker rm -f` does. */
export async function removeByHand(idOrName: string, host = testHost()): Promise<void> {
  await callJson(host, "DELETE", `/containers/${idOrName}?force=1&v=1`);
}

/** Runs a command in a container and waits for its end; answers with its exit code. */
export async function execIn(
  idOrName: string,
  command: readonly string[],
  host = testHost(),
): Promise<number> {
  const body = { Cmd: command, AttachStdout: true };
  const { Id: id }: { Id: string } = await callJson(host, "POST", `/containers/${idOrName}/exec`, {
    body,
  });
  await callApi(host, "POST", `/exec/${id}/start`, { body: {} });
  const { ExitCode: code }: { ExitCode: number } = await callJson(host, "GET", `/exec/${id}/json`);
  return code;
}

/** The engine's clock in seconds with fraction, as `since` and `until` of the event history want it. */
export async function engineTime(host = testHost()): Promise<string> {
  const { SystemTime: time }: { SystemTime: string } = await callJson(host, "GET", "/info");
  const [, fraction = "0"] = /\.(\d+)/.exec(time) ?? [];
  return `${Math.floor(Date.parse(time) / 1000)}.${fraction.padEnd(9, "0")}`;
}

/** Container events since then with the label, as `action name`, execs of health checks left out. */
export async function eventsSince(
  since: string,
  label: string,
  host = testHost(),
): Promise<readonly string[]> {
  const filters = encodeURIComponent(JSON.stringify({ type: ["container"], label: [label] }));
  const until = await engineTime(host);
  const path = `/events?since=${since}&until=${until}&filters=${filters}`;
  const { text } = await callApi(host, "GET", path);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): { Action: string; Actor: { Attributes: { name: string } } } => JSON.parse(line))
    .filter((event) => !event.Action.startsWith("exec_"))
    .map((event) => `${event.Action} ${event.Actor.Attributes.name}`);
}

/** Removes the containers, networks and volumes that carry the run's label, or any other given label. */
export async function cleanup(runId: string, host = testHost()): Promise<void> {
  const label = runId.includes("=") ? runId : `${RUN_LABEL}=${runId}`;
  for (const { id } of await listContainers(label, host))
    await callApi(host, "DELETE", `/containers/${id}?force=1&v=1`);
  const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
  const networks: { Id: string }[] = await callJson(host, "GET", `/networks?filters=${filters}`);
  for (const { Id: id } of networks) await callApi(host, "DELETE", `/networks/${id}`);
  const { Volumes: volumes }: { Volumes: { Name: string }[] | null } = await callJson(
    host,
    "GET",
    `/volumes?filters=${filters}`,
  );
  for (const { Name: name } of volumes ?? []) await callApi(host, "DELETE", `/volumes/${name}`);
}
