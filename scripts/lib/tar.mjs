// A tar archive of a few small files, made in memory: enough for an image, no more.

const BLOCK = 512;

/** @typedef {{ path: string, mode: number, content: Buffer } | { path: string, link: string } | { path: string, mode: number }} TarEntry */

/**
 * A complete archive of files, symbolic links and folders (an entry without content is a folder), all owned by root.
 *
 * @param {readonly TarEntry[]} entries
 */
export function makeTar(entries) {
  return Buffer.concat([...entries.flatMap(encodeEntry), Buffer.alloc(2 * BLOCK)]);
}

/**
 * @param {TarEntry} entry
 * @returns {Buffer[]}
 */
function encodeEntry(entry) {
  if ("link" in entry) return [header(entry.path, 0o777, 0, "2", entry.link)];
  if (!("content" in entry)) return [header(`${entry.path}/`, entry.mode, 0, "5", "")];
  const padding = Buffer.alloc((BLOCK - (entry.content.length % BLOCK)) % BLOCK);
  return [header(entry.path, entry.mode, entry.content.length, "0", ""), entry.content, padding];
}

/**
 * A ustar header: fields of fixed width, numbers in octal, and a sum over the block with the sum's own field blank.
 *
 * @param {string} path
 * @param {number} mode
 * @param {number} size
 * @param {string} type
 * @param {string} link
 */
function header(path, mode, size, type, link) {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write(" ".repeat(8), 148);
  block.write(type, 156);
  block.write(link, 157, 100);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)}\0 `.slice(0, 8), 148);
  return block;
}

/**
 * @param {number} value
 * @param {number} width
 */
const octal = (value, width) => value.toString(8).padStart(width - 1, "0");
