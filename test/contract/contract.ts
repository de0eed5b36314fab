// What every adapter of the engine port must do, told once. Run against each of them; where the simulated engine and a
// real one differ, the real one is right.

import { describe } from "vitest";
import { claims } from "./claims.ts";
import { engineRestart } from "./engine-restart.ts";
import type { OpenFixture } from "./fixture.ts";
import { health } from "./health.ts";
import { inside } from "./inside.ts";
import { names } from "./names.ts";
import { processes } from "./processes.ts";
import { reads } from "./reads.ts";
import { registry } from "./registry.ts";
import { restarts } from "./restarts.ts";
import { waiting } from "./waiting.ts";

/** Defines the tests of the contract for an engine; each opens a fixture of its own. */
export function contract(
  name: string,
  open: OpenFixture,
  { canRestartEngine }: { readonly canRestartEngine: boolean },
): void {
  describe(`the contract, kept by ${name}`, () => {
    describe.concurrent("names", () => names(open));
    describe.concurrent("processes", () => processes(open));
    describe.concurrent("restarts", () => restarts(open));
    describe.concurrent("health", () => health(open));
    describe.concurrent("inside", () => inside(open));
    describe.concurrent("claims", () => claims(open));
    describe.concurrent("reads", () => reads(open));
    describe.concurrent("registries", () => registry(open));
    // What others do would wake these, and they would wake what others do.
    describe.sequential("waiting", () => waiting(open));
    describe.runIf(canRestartEngine)("a restart of the engine", () => engineRestart(open));
  });
}
