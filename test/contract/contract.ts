// What every adapter of the engine port must do, told once. Run against each of them; where the simulated engine and a
// real one differ, the real one is right.

import { describe } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { health } from "./health.ts";
import { names } from "./names.ts";
import { processes } from "./processes.ts";
import { reads } from "./reads.ts";
import { restarts } from "./restarts.ts";
import { waiting } from "./waiting.ts";

/** Defines the tests of the contract for an engine; each opens a fixture of its own. */
export function contract(
  name: string,
  open: OpenFixture,
  { canRestartEngine }: { readonly canRestartEngine: boolean },
): void {
  describe(`the contract, kept by ${name}`, () => {
    describe("names", () => names(open));
    describe("processes", () => processes(open));
    describe("restarts", () => restarts(open, canRestartEngine));
    describe("health", () => health(open));
    describe("reads", () => reads(open));
    describe("waiting", () => waiting(open));
  });
}
