// Preloaded into a measured process: writes its peak resident memory in KB to the file PEAK_FILE when it ends.
// VmHWM and not maxRSS, which a child inherits from the process that forked it.
"use strict";

const { readFileSync, writeFileSync } = require("node:fs");

process.on("exit", () => {
  const status = readFileSync("/proc/self/status", "utf8");
  writeFileSync(process.env["PEAK_FILE"] ?? "", /VmHWM:\s+(\d+)/.exec(status)?.[1] ?? "");
});
