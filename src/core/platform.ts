// Whether an image is of the platform that is wanted. Knows nothing of images besides.

/** Both as a template has it, `linux/arm64`; what one of them leaves out, such as a variant, may be anything. */
export function isOfPlatform(image: string, wanted: string): boolean {
  const own = image.split("/");
  return wanted.split("/").every((part, at) => own[at] === undefined || own[at] === part);
}
