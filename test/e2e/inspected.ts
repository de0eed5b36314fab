// The part of a container's inspection that tests of manifests look at.

import { callJson } from "../../scripts/lib/docker-api.mjs";
import { testHost } from "../support/engine.ts";

export type Inspected = {
  readonly Config: {
    readonly Env: readonly string[];
    readonly Cmd: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
    readonly Hostname: string;
  };
  readonly HostConfig: { readonly Binds: readonly string[]; readonly PortBindings: unknown };
  readonly Mounts: readonly { readonly Name?: string; readonly Source: string }[];
};

/** What the engine says of a container. */
export function inspect(id: string): Promise<Inspected> {
  return callJson(testHost(), "GET", `/containers/${id}/json`);
}
