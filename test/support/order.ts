// The order in which the files of tests begin, so that the cores are not left to one long file at the end. vitest begins
// with what took longest the last time, and in a fresh clone with the largest file; this corrects it where that is wrong.

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take long. */
const LONG = ["test/contract/docker.real.test.ts", "test/e2e/import.e2e.test.ts"];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG.some((path) => moduleId.endsWith(path));
}
