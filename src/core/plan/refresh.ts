// What registries have said, as far as a group cares: whether its image is to be pulled again before anything is made of it.

import type { GroupSpec } from "../model.ts";
import type { RegistryWord } from "../observed.ts";
import { pull } from "./arrive.ts";
import type { Draft } from "./draft.ts";
import { because, shortImage } from "./why.ts";

/**
 * Pulls an image that has moved in its registry. True: it is pulled, and what follows is known after that. A registry
 * that cannot be asked is said and stops nothing: the image on the engine goes on being used.
 */
export function refreshImage(draft: Draft): boolean {
  const { spec } = draft.scene;
  if (spec === undefined || spec.replicas === 0 || !isKeptFresh(spec)) return false;
  const word = registryWord(draft);
  switch (word?.kind) {
    case "moved":
      pull(draft, spec.template.image, because("image-changed", movedWords(word)));
      return true;
    case "failed":
      draft.block({ code: "ImagePullFailed", message: word.message });
      return false;
    case undefined:
      return false;
  }
}

/** Whether a registry is asked about an image that the engine has. */
export function isKeptFresh({ pullPolicy }: GroupSpec): boolean {
  return pullPolicy === "always" || typeof pullPolicy === "object";
}

/** What the registry of the group's image has said in this run. */
export function registryWord({ scene: { spec, snapshot } }: Draft): RegistryWord | undefined {
  return spec && snapshot.registry?.[spec.template.image];
}

function movedWords({ from, to }: RegistryWord & { readonly kind: "moved" }): string {
  const here = from.length === 0 ? "an image of no registry" : from.map(shortImage).join(", ");
  return `${here} -> ${shortImage(to)} in its registry; what follows is known after the pull`;
}
