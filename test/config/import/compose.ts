// Imports of compose files in memory, as tests read them: fields of the manifest as plain values, notes as lines.

import { resolve } from "node:path";
import {
  type ImportRequest,
  type ImportResult,
  importCompose,
} from "../../../src/config/import/import.ts";
import { problemOfFile } from "../../../src/config/problems.ts";
import { makeSource } from "../../../src/config/source.ts";
import { find, toPlain } from "../../../src/config/tree.ts";
import { parseYaml } from "../../../src/config/yaml.ts";

/** The folder of the compose file, whose project is `shop`. */
export const FOLDER = "/srv/shop";

export type Import = Partial<ImportRequest> & {
  /** Other files by their paths from the compose file's folder. */
  readonly files?: Readonly<Record<string, string>>;
};

/** Imports a text as /srv/shop/compose.yaml; the n-th group gets a UID that ends with n. */
export function importText(text: string, { files = {}, ...request }: Import = {}): ImportResult {
  const texts = new Map(
    Object.entries({ "compose.yaml": text, ...files }).map(([path, each]) => [
      resolve(FOLDER, path),
      each,
    ]),
  );
  let made = 0;
  return importCompose({
    path: `${FOLDER}/compose.yaml`,
    services: [],
    images: {},
    projectName: undefined,
    shellProjectName: undefined,
    folder: FOLDER,
    cwd: FOLDER,
    grouped: true,
    schema: undefined,
    makeUid: () => {
      made += 1;
      return `01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a${String(made).padStart(2, "0")}`;
    },
    read: (path) => {
      const found = texts.get(path);
      const file = path.replace(`${FOLDER}/`, "");
      return found === undefined
        ? problemOfFile(file, { message: "no such file or folder" })
        : makeSource(file, found);
    },
    exists: (path) => texts.has(path),
    ...request,
  });
}

/** A compose file of one worker with these lines, and of what it may speak of. */
export function withWorker(lines: string, rest = ""): string {
  const fields = lines.includes("image:") ? lines : `image: app:1\n${lines}`;
  const worker = fields.replace(/^(?=.)/gm, "    ");
  return `services:\n  worker:\n${worker}\n  db:\n    image: postgres:16\n${rest}`;
}

/** The value at a path of the one manifest that there must be. */
export function valueIn(result: ImportResult, ...path: readonly (string | number)[]): unknown {
  const [group] = result.groups;
  if (group === undefined || result.groups.length > 1 || result.problems.length > 0)
    throw new Error(`not one group: ${JSON.stringify(result)}`);
  const [document] = parseYaml(makeSource("manifest", group.text));
  const node = document?.root && find(document.root, path)?.node;
  return node === undefined ? undefined : plain(toPlain(node));
}

/** Mappings with a prototype, as tests write them. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Problems as `line:column path: message`. */
export function problemLines({ problems }: Pick<ImportResult, "problems">): readonly string[] {
  return problems.map(
    ({ place, path, message }) => `${place.line}:${place.column} ${path}: ${message}`,
  );
}
