// Small builders of the engine's wire JSON, shared by the adapter's tests.

/** What `GET /containers/{id}/json` says of a running container; `changes` replaces parts of it. */
export function wireContainer(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    Id: "c".repeat(64),
    Name: "/mailer-1-1f2e3d4c",
    Image: "sha256:aa",
    Created: "2026-11-29T12:00:00.5Z",
    RestartCount: 0,
    State: wireState(),
    Config: { Labels: { "dev.wgctl.uid": "u1" } },
    HostConfig: { RestartPolicy: { Name: "no", MaximumRetryCount: 0 } },
    NetworkSettings: { Networks: { bridge: {} } },
    ...changes,
  };
}

export function wireState(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    Status: "running",
    ExitCode: 0,
    Error: "",
    OOMKilled: false,
    StartedAt: "2026-11-29T12:00:01Z",
    FinishedAt: "0001-01-01T00:00:00Z",
    ...changes,
  };
}

/** One line of `GET /containers/json`. */
export function wireLine(id: string, names: readonly string[] = [`/${id}`]) {
  return { Id: id, Names: names, Labels: { "dev.wgctl.uid": "u1" } };
}

/** 2026-11-29T12:00:00Z in milliseconds. */
export const NOON = Date.UTC(2026, 10, 29, 12);
