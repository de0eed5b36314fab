// The platform an image is taken for, in the one form that the engine has for it.

import { bad, good, type Reading } from "./reading.ts";

const otherNames: ReadonlyMap<string, string> = new Map([
  ["aarch64", "arm64"],
  ["armhf", "arm/v7"],
  ["armel", "arm/v6"],
  ["i386", "386"],
  ["x86_64", "amd64"],
  ["x86-64", "amd64"],
]);
const architectures = "386 amd64 arm arm64 loong64 mips64le ppc64le riscv64 s390x".split(" ");
/** Variants that go without saying. */
const usual: ReadonlyMap<string, string> = new Map([
  ["arm64/v8", "arm64"],
  ["amd64/v1", "amd64"],
  ["arm", "arm/v7"],
]);

/** `os[/architecture[/variant]]`, or an architecture of Linux: `linux/arm64`. */
export function readPlatform(text: string): Reading<string> {
  const parts = text.toLowerCase().split("/");
  if (parts.length > 3 || !parts.every((part) => /^[a-z0-9_.-]+$/.test(part)))
    return bad("is no platform", "write it as linux/arm64");
  const [first = "", ...rest] = parts;
  const plain = otherNames.get(first) ?? first;
  const isArchitecture = architectures.includes(plain.split("/", 1).join());
  if (isArchitecture) return good(`linux/${readArchitecture(plain, rest)}`);
  const [architecture, ...variant] = rest;
  if (architecture === undefined) return good(first);
  return good(
    `${first}/${readArchitecture(otherNames.get(architecture) ?? architecture, variant)}`,
  );
}

function readArchitecture(name: string, variant: readonly string[]): string {
  const whole = [name, ...variant].join("/");
  return usual.get(whole) ?? whole;
}
