import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { makeTar } from "../../scripts/lib/tar.mjs";

it("makes what tar itself reads", () => {
  const archive = makeTar([
    { path: "tmp", mode: 0o1777 },
    { path: "bin/worker", mode: 0o755, content: Buffer.from("#!/bin/sh\n") },
    { path: "bin/sh", link: "busybox" },
    { path: "exact", mode: 0o644, content: Buffer.alloc(1024, "x") },
  ]);
  const listing = execFileSync("tar", ["-tvf", "-"], { input: archive, encoding: "utf8" });
  const rows = listing
    .trim()
    .split("\n")
    .map((row) => row.split(/\s+/));
  expect(rows.map(([mode, , size, , , ...name]) => [mode, size, name.join(" ")])).toEqual([
    ["drwxrwxrwt", "0", "tmp/"],
    ["-rwxr-xr-x", "10", "bin/worker"],
    ["lrwxrwxrwx", "0", "bin/sh -> busybox"],
    ["-rw-r--r--", "1024", "exact"],
  ]);
});
