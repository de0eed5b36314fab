// Images, their tags, and the registry they are pulled from.

import { sha256 } from "../../core/digest.ts";
import type { ImageFacts } from "../engine.ts";
import { refusal } from "./refusal.ts";
import type { Image, Offer } from "./script.ts";
import type { World } from "./world.ts";

/** A reference in its whole form, as tags are kept: `mailer` and `docker.io/library/mailer` are `mailer:latest`. */
export function wholeReference(reference: string): string {
  const short = reference.replace(/^(index\.)?docker\.io\//, "").replace(/^library\//, "");
  const [name = "", digest] = short.split("@");
  const colon = name.indexOf(":", name.lastIndexOf("/") + 1);
  if (digest !== undefined) return `${colon < 0 ? name : name.slice(0, colon)}@${digest}`;
  return colon < 0 ? `${name}:latest` : name;
}

/** The image a reference or an id stands for; undefined: the engine does not have it. */
export function findImage(world: World, reference: string): Image | undefined {
  const id = world.tags[wholeReference(reference)];
  return world.images[id ?? reference];
}

/** What the engine knows of the image a reference stands for; null: it does not have it. */
export function imageFacts(world: World, reference: string): ImageFacts | null {
  const image = findImage(world, reference);
  if (image === undefined) return null;
  return { id: image.id, digests: image.pulled ? [digestOf(image)] : [] };
}

/** What a registry calls an image: its manifest's digest, which is not the image's id. */
export function digestOf({ id }: Image): string {
  return `sha256:${sha256(`manifest of ${id}`)}`;
}

/** What the registry has to say to a pull, or to a question. */
export function offerOf({ registry }: World, reference: string): Offer {
  if (registry.down !== undefined) {
    return { kind: "refusal", code: "engine-failed", message: registry.down };
  }
  const whole = wholeReference(reference);
  const offer = registry.images[reference] ?? registry.images[whole];
  if (offer !== undefined) return offer;
  if (registry.anything) return { kind: "image", image: { id: imageIdOf(whole) } };
  const message = `manifest for ${whole} not found: manifest unknown`;
  return { kind: "refusal", code: "engine-not-found", message };
}

/** The id of an image of which no more is known than what it is called. */
export function imageIdOf(reference: string): string {
  return `sha256:${sha256(wholeReference(reference))}`;
}

/** Takes an image in: the reference stands for it from now on. */
export function tagImage(world: World, reference: string, image: Image): void {
  world.images[image.id] = image;
  world.tags[wholeReference(reference)] = image.id;
}

/** The digest that the registry has for a reference. Throws what it refuses with. */
export function askRegistry(world: World, reference: string): string {
  const offer = offerOf(world, reference);
  if (offer.kind === "image") return digestOf(offer.image);
  const what = `ask the registry for ${reference}`;
  if (offer.kind === "silence") throw refusal("engine-timeout", what, "it says nothing");
  throw refusal(offer.code, what, offer.message);
}

/** The end of a pull. Throws what the registry refused it with. */
export function takeOffer(world: World, reference: string): void {
  const offer = offerOf(world, reference);
  if (offer.kind === "refusal") throw refusal(offer.code, `pull ${reference}`, offer.message);
  if (offer.kind === "image") tagImage(world, reference, { ...offer.image, pulled: true });
}
