// Options of mounts, in the short and in the long form.

import { expect, test } from "vitest";
import { manifest, specOf } from "./manifests.ts";
import { refusals } from "./refusals.ts";

const bind = (more: object) => ({ type: "bind", source: "/a", target: "/b", ...more });
const volume = (more: object) => ({ type: "volume", source: "data", target: "/b", ...more });
const long = (type: string, more: string) =>
  `{type: ${type}, source: ${type === "bind" ? "/a" : "data"}, target: /b, ${more}}`;

test.each<readonly [string, object]>([
  ["/a:/b:rslave", bind({ propagation: "rslave" })],
  ["/a:/b:Z,ro,private", bind({ read_only: true, selinux: "Z", propagation: "private" })],
  ["/a:/b:cached", bind({})],
  ["/a:/b:delegated,ro", bind({ read_only: true })],
  ["/a:/b:consistent,default,rw", bind({})],
  ["data:/b:nocopy", volume({ nocopy: true })],
  ["data:/b:z,nocopy,ro", volume({ nocopy: true, selinux: "z", read_only: true })],
  ["/b", { type: "volume", target: "/b" }],
  [
    long("bind", "bind: {propagation: shared}, consistency: cached"),
    bind({ propagation: "shared" }),
  ],
  [long("bind", "bind: {create_host_path: false}"), bind({ create_host_path: false })],
  [long("bind", "bind: {create_host_path: true, recursive: enabled}"), bind({})],
  [long("volume", "volume: {nocopy: true}"), volume({ nocopy: true })],
  [long("volume", "volume: {nocopy: false}"), volume({})],
  [long("volume", "volume: {subpath: ./x//y/}"), volume({ subpath: "x/y" })],
  [
    "{type: volume, target: /b, volume: {nocopy: true}}",
    { type: "volume", target: "/b", nocopy: true },
  ],
])("%s", async (yaml, expected) => {
  const { template } = await specOf(manifest(`volumes:\n  - ${yaml}`));
  expect(template).toEqual({ image: "busybox:1.36", volumes: [expected] });
});

test.each([
  ["{size: 64m}", "size=67108864"],
  ["{mode: 01777, size: 1k}", "size=1024,mode=1777"],
  ["{mode: 0o755}", "mode=755"],
  ["{mode: '0755'}", "mode=755"],
  ["{mode: 0000}", "mode=0"],
  ["{}", ""],
])("a tmpfs of %s", async (options, expected) => {
  const { template } = await specOf(
    manifest(`volumes: [{type: tmpfs, target: /b, tmpfs: ${options}}]`),
  );
  expect(template.tmpfs).toEqual({ "/b": expected });
});

test.each<readonly [string, ...string[]]>([
  [
    "/a:/b:nocopy",
    '"/a:/b:nocopy" has the option nocopy, which only a volume can have (take it out)',
  ],
  [
    "data:/b:ro,shared",
    '"data:/b:ro,shared" has the option shared, which only a folder of the host can have (take it out)',
  ],
  [
    "/a:/b:rbind",
    '"/a:/b:rbind" has an unknown option (write ro, rw, z, Z, nocopy, or a propagation such as rslave)',
  ],
  ["/a:/b:rshard", '"/a:/b:rshard" has an unknown option (did you mean "rshared"?)'],
  [
    "/a:/b:constructor",
    '"/a:/b:constructor" has an unknown option (write ro, rw, z, Z, nocopy, or a propagation such as rslave)',
  ],
  [
    long("bind", "bind: {propagation: shard, recursive: readonly}, consistency: cache"),
    '.bind.propagation: "shard" is not known here (did you mean "shared"?)',
    '.bind.recursive: "readonly" is not supported by this version ' +
      "(write enabled, or mount the folders one by one; engines before 25 know nothing else)",
    '.consistency: "cache" is not known here (did you mean "cached"?)',
  ],
  [
    long("bind", "volume: {nocopy: true}, tmpfs: {}"),
    ".volume: volume means nothing to a bind (take it out)",
    ".tmpfs: tmpfs means nothing to a bind (take it out)",
  ],
  [long("volume", "bind: {}"), ".bind: bind means nothing to a volume (take it out)"],
  [
    long("bind", "bind: {selinux: z, create_host_path: false}"),
    ".bind.selinux: selinux together with create_host_path: false " +
      "(the engine relabels only folders that it may make; take one of them out)",
  ],
  [
    long("volume", "volume: {subpath: ../x}"),
    '.volume.subpath: "../x" is no folder within a volume (write a relative path without ..)',
  ],
  [
    "{type: volume, target: /b, volume: {subpath: x}}",
    ".volume.subpath: a folder in a volume that has no name (name the volume in source)",
  ],
  [
    "{type: tmpfs, target: /b, tmpfs: {mode: 1777}}",
    '.tmpfs.mode: "1777" is no mode in octal (write 01777, since 1777 alone is decimal to Compose)',
  ],
  [
    "{type: tmpfs, target: /b, tmpfs: {mode: 0888}}",
    '.tmpfs.mode: "0888" is no mode in octal (write it as 0755)',
  ],
  [
    "{type: image, source: a, target: /b}",
    '.type: "image" is not supported by this version (put the files into the image of the worker, or into a volume)',
  ],
])("%s is refused", async (yaml, ...expected) => {
  const said = await refusals(`volumes:\n  - ${yaml}`);
  expect(said.map((each) => each.replace(/^volumes\[0\](: )?/, ""))).toEqual(expected);
});
