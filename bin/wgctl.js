#!/usr/bin/env node
// Starts the bundle in dist/ with the code cache the build made for this Node, or without one where there is none.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const folder = join(__dirname, "..", "dist");
const filename = join(folder, "wgctl.cjs");
const source = readFileSync(filename, "latin1"); // the build writes ASCII only
const id = source.slice(2, 18);

function readCache() {
  try {
    return readFileSync(join(folder, `${id}-${process.version}-${process.arch}.cache`));
  } catch {
    return undefined;
  }
}

// V8 forgets how to import when it takes code from a cache, so modules outside the bundle are loaded from here.
const loadModule = (file) => import(join(folder, file));

const bundle = { exports: {} };
const script = new Script(source, { filename, cachedData: readCache() });
script.runInThisContext()(bundle.exports, require, bundle, filename, folder);
bundle.exports.main(process.argv.slice(2), loadModule).then((code) => {
  process.exitCode = code;
});
