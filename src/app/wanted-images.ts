// Which images the groups want, for which platform, and whether what the engine has will do. Asks nobody.

import type { DesiredGroup } from "../core/model.ts";
import type { Snapshot } from "../core/observed.ts";
import { isOfPlatform } from "../core/platform.ts";
import type { ImageFacts } from "../engine/engine.ts";
import type { ImageWatch } from "./image-watch.ts";

/** Platforms by image reference, where all who want it want the same one. */
export function platformsOf(groups: readonly DesiredGroup[]): Readonly<Record<string, string>> {
  const platforms = imagesOf(groups).flatMap((reference) => {
    const wanted = new Set(wantedPlatforms(reference, groups));
    const [only] = wanted;
    return wanted.size === 1 && only !== undefined ? [[reference, only] as const] : [];
  });
  return Object.fromEntries(platforms);
}

function wantedPlatforms(
  reference: string,
  groups: readonly DesiredGroup[],
): readonly (string | undefined)[] {
  return groups.flatMap((group) =>
    group.kind === "valid" && group.spec.template.image === reference
      ? [group.spec.template.platform]
      : [],
  );
}

/**
 * An image of a platform that nobody wants is as good as missing: it has to be pulled. Once it has been, the engine
 * keeps several platforms and tells of another one than was pulled.
 */
export function idsOf(
  images: Readonly<Record<string, ImageFacts | null>>,
  groups: readonly DesiredGroup[],
  watch: ImageWatch | undefined,
): Snapshot["images"] {
  const isUsable = (image: ImageFacts, reference: string) =>
    isWanted(image, wantedPlatforms(reference, groups)) || watch?.wasPulled(reference) === true;
  return Object.fromEntries(
    Object.entries(images).map(([reference, image]) => [
      reference,
      image !== null && isUsable(image, reference) ? image.id : null,
    ]),
  );
}

function isWanted(
  { platform: own }: ImageFacts,
  platforms: readonly (string | undefined)[],
): boolean {
  return platforms.some(
    (platform) => platform === undefined || own === undefined || isOfPlatform(own, platform),
  );
}

/** References that the groups with a valid spec want, sorted. */
export function imagesOf(groups: readonly DesiredGroup[]): readonly string[] {
  const references = groups.flatMap((group) =>
    group.kind === "valid" ? [group.spec.template.image] : [],
  );
  return [...new Set(references)].sort();
}
