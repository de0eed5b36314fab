// The worker image of the demo and the tests: a static busybox and two shell scripts, loaded without any registry.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callApi, callJson } from "./docker-api.mjs";
import { ROOT } from "./process.mjs";
import { makeTar } from "./tar.mjs";

const APPLETS =
  "cat date echo env false grep head hostname id kill ls nc ps rm sh sleep tail test touch true";

/** True when this machine has a busybox that needs no libraries, which the image is made of. */
export function hasStaticBusybox() {
  return findStaticBusybox() !== undefined;
}

function findStaticBusybox() {
  return ["/bin/busybox", "/usr/bin/busybox", "/bin/busybox.static"].find(
    (path) => existsSync(path) && !needsInterpreter(readFileSync(path)),
  );
}

/**
 * True when one of the ELF program headers (64 bit, little endian) is PT_INTERP.
 *
 * @param {Buffer} elf
 */
function needsInterpreter(elf) {
  const start = Number(elf.readBigUInt64LE(32));
  const size = elf.readUInt16LE(54);
  const count = elf.readUInt16LE(56);
  return Array.from({ length: count }).some((_, at) => elf.readUInt32LE(start + at * size) === 3);
}

/**
 * Loads the image under the given reference (`name:tag`) and answers with its id. `variant` ends up in the image's
 * configuration, so that two variants are two images; a tag that existed moves. `files` are in it besides, or in the place of its own.
 *
 * @param {string} host
 * @param {string} reference
 * @param {string} [variant]
 * @param {readonly import("./tar.mjs").TarEntry[]} [files]
 * @returns {Promise<string>}
 */
export async function loadWorkerImage(host, reference, variant = reference, files = []) {
  const [repo = "", tag = "latest"] = reference.split(":");
  const query = new URLSearchParams({ fromSrc: "-", repo, tag });
  for (const change of [`ENV WORKER_VARIANT=${variant}`, 'CMD ["worker"]'])
    query.append("changes", change);
  const answer = await callApi(host, "POST", `/images/create?${query}`, { raw: workerTar(files) });
  if (answer.status !== 200) throw new Error(`cannot load ${reference}: ${answer.text.trim()}`);
  return (await callJson(host, "GET", `/images/${reference}/json`)).Id;
}

/** @param {readonly import("./tar.mjs").TarEntry[]} files */
function workerTar(files) {
  const busybox = findStaticBusybox();
  if (busybox === undefined)
    throw new Error("no static busybox on this machine: apt-get install busybox-static");
  const scripts = ["worker", "healthy", "idle"].map((name) => ({
    path: `bin/${name}`,
    mode: 0o755,
    content: readFileSync(join(ROOT, "fixtures/demo/bin", name)),
  }));
  const taken = new Set(files.map(({ path }) => path));
  const own = [
    { path: "bin", mode: 0o755 },
    { path: "tmp", mode: 0o1777 },
    { path: "bin/busybox", mode: 0o755, content: readFileSync(busybox) },
    ...APPLETS.split(" ").map((name) => ({ path: `bin/${name}`, link: "busybox" })),
    ...scripts,
  ];
  return makeTar([...own.filter(({ path }) => !taken.has(path)), ...files]);
}
