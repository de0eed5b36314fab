// Whether an image is of the platform that is wanted. Knows names of processors and nothing of images.

/** Other names of the same processors. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  x86_64: ["amd64"],
  "x86-64": ["amd64"],
  aarch64: ["arm64"],
  armhf: ["arm", "v7"],
  armel: ["arm", "v6"],
};

/**
 * Both as `linux/arm64/v8`; either may leave the variant out, and the wanted one may be a processor alone, `arm64`, or
 * a system alone, `linux`.
 */
export function isOfPlatform(image: string, wanted: string): boolean {
  const [system, ...processor] = partsOf(image);
  const [first, ...rest] = partsOf(wanted);
  if (rest.length > 0 && first === system) return agree(processor, rest);
  return first === system || agree(processor, [first ?? "", ...rest]);
}

function partsOf(platform: string): readonly string[] {
  const parts = platform.toLowerCase().split("/");
  return parts.flatMap((part) => ALIASES[part] ?? [part]);
}

/** As far as both say something. */
function agree(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((part, at) => part === other[at]);
}
