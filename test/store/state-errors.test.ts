import { expect, it } from "vitest";
import { WgctlError } from "../../src/core/errors.ts";
import { stateError } from "../../src/store/state-errors.ts";

const systemError = (code: string) => Object.assign(new Error(code), { code });

it.each([
  ["ENOSPC", "state-unwritable", "the disk is full"],
  ["EDQUOT", "state-unwritable", "quota"],
  ["EROFS", "state-unwritable", "read-only"],
  ["EIO", "state-unwritable", "the disk has errors"],
  ["EACCES", "state-unusable", "make the folder yours"],
  ["EPERM", "state-unusable", "make the folder yours"],
  ["ENOTDIR", "state-unusable", "a part of the path is a file"],
  ["EEXIST", "state-unusable", "a part of the path is a file"],
  ["EISDIR", "state-unusable", "look at journal.ndjson"],
])("%s is %s", (errno, code, hint) => {
  expect(stateError("/p/.wgctl/journal.ndjson", "write", systemError(errno))).toMatchObject({
    code,
    message: `cannot write /p/.wgctl/journal.ndjson: ${errno}`,
    hint: expect.stringContaining(hint),
  });
});

it.each([new TypeError("a defect"), new WgctlError("refused", "no"), "text"])(
  "what the system did not say stays as it is: %s",
  (error) => {
    expect(stateError("/p", "write", error)).toBe(error);
  },
);
