#!/usr/bin/env node
// Starts the bundle in dist/ with the code cache the build made for this Node, or without one where there is none.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

// Asked for by scripts to see whether wgctl is there: worth no more than Node's own start.
if (process.argv.length === 3 && ["--version", "-V"].includes(process.argv[2])) {
  process.stdout.on("error", () => {
    process.exitCode = 1;
  });
  process.stdout.write(`${require("../package.json").version}\n`);
} else {
  start();
}

function start() {
  const folder = join(__dirname, "..", "dist");
  const filename = join(folder, "wgctl.cjs");
  const source = readFileSync(filename, "latin1"); // the build writes ASCII only
  const id = source.slice(2, 18);
  const cache = join(folder, `${id}-${process.version}-${process.arch}`);
  // What cron runs all day has a cache of its own with nothing in it that such a run does not use.
  const quiet = process.argv[2] === "apply" ? readCache(`${cache}-quiet.cache`) : undefined;
  const cachedData = quiet ?? readCache(`${cache}.cache`);
  const bundle = { exports: {} };
  const script = new Script(source, { filename, cachedData });
  script.runInThisContext()(bundle.exports, require, bundle, filename, folder);
  // V8 forgets how to import when it takes code from a cache, so modules outside the bundle are loaded from here.
  const loadModule = (file) => import(join(folder, file));
  bundle.exports.main(process.argv.slice(2), loadModule).then((code) => {
    process.exitCode = code;
  });
}

function readCache(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
