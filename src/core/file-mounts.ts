// Files that workers have mounted: what stands in a template for what is in them. Reads no file.

import { sha256 } from "./digest.ts";
import { sealOf } from "./seal.ts";
import { Secrets } from "./secrets.ts";
import type { FileMount, Template } from "./template.ts";

/** A file to be mounted, and what is in it now. */
export type OpenFile = Omit<FileMount, "content"> & { readonly bytes: Uint8Array };

/** Bytes; what is longer is no password or key that anybody quotes. */
const LONGEST_HIDDEN = 16 * 1024;
/** Keeps the digests of files apart from those of texts, none of which holds a zero. */
const IN_A_FILE = "file\0";

export type OpenFiles = {
  readonly secrets: readonly OpenFile[];
  readonly configs: readonly OpenFile[];
};

/**
 * The template with these files in it, a digest salted with the group's UID for what is in each; and the contents of
 * secrets, to be hidden from whoever repeats them. The words of configs may be anybody's and are not hidden.
 */
export function mountFiles(
  template: Template,
  files: OpenFiles,
  uid: string,
): { readonly template: Template; readonly secrets: Secrets | undefined } {
  const values = new Map<string, string>();
  const secrets = files.secrets.map(({ bytes, ...mount }) => {
    const content = sealOf(uid, IN_A_FILE, bytes);
    values.set(content, hiddenText(bytes));
    return { ...mount, content };
  });
  const configs = files.configs.map(({ bytes, ...mount }) => {
    const content = `digest:${sha256(uid, "\0", IN_A_FILE, bytes).slice(0, 32)}`;
    return { ...mount, content };
  });
  const mounted = {
    ...template,
    ...(secrets.length > 0 && { secrets: byTarget(secrets) }),
    ...(configs.length > 0 && { configs: byTarget(configs) }),
  };
  return { template: mounted, secrets: values.size === 0 ? undefined : new Secrets(values) };
}

const DIGEST = /digest:[0-9a-f]{32}/g;

/** A line for a person: `shown` in place of every digest of a file. */
export function hideDigests(line: string, shown: string): string {
  return line.replace(DIGEST, shown);
}

/** Nothing of what is too long or no text can be found in words. */
function hiddenText(bytes: Uint8Array): string {
  if (bytes.length > LONGEST_HIDDEN) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}

/** Their order means nothing. */
function byTarget(mounts: readonly FileMount[]): readonly FileMount[] {
  return [...mounts].sort((one, other) => (one.target < other.target ? -1 : 1));
}
