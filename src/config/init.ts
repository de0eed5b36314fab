// The files of a new project, as text. Writes nothing and makes no UIDs: both come from the caller.

import { projectFile } from "./files.ts";
import { jsonSchemaText } from "./json-schema.ts";

export type InitRequest = {
  readonly projectName: string;
  readonly projectUid: string;
  readonly groupUid: string;
  /** Image of the example; `busybox:1.36` unless given. */
  readonly image?: string;
  /** Texts of those of `initPaths` that exist already. */
  readonly existing: Readonly<Record<string, string>>;
};

export type InitResult =
  | { readonly kind: "files"; readonly files: readonly NewFile[] }
  /** These files are there already and stay as they are. */
  | { readonly kind: "taken"; readonly paths: readonly string[] };

/** Path below the project's root, and the whole text. */
export type NewFile = { readonly path: string; readonly text: string };

const examplePath = "groups/example.yaml";
const ignorePath = ".gitignore";
const schemaPath = "wgctl.schema.json";

/** Everything `init` looks at or writes, below the project's root. */
export const initPaths: readonly string[] = [projectFile, examplePath, schemaPath, ignorePath];

/** The files to write; only an existing .gitignore is ever changed, by a line at its end. */
export function makeInitFiles(request: InitRequest): InitResult {
  const schema = jsonSchemaText();
  const taken = [projectFile, examplePath].filter((path) => Object.hasOwn(request.existing, path));
  if ((request.existing[schemaPath] ?? schema) !== schema) taken.push(schemaPath);
  if (taken.length > 0) return { kind: "taken", paths: taken };
  const ignore = addIgnore(request.existing[ignorePath] ?? "");
  return {
    kind: "files",
    files: [
      { path: projectFile, text: projectText(request) },
      { path: examplePath, text: exampleText(request.groupUid, request.image ?? "busybox:1.36") },
      ...(Object.hasOwn(request.existing, schemaPath) ? [] : [{ path: schemaPath, text: schema }]),
      ...(ignore === undefined ? [] : [{ path: ignorePath, text: ignore }]),
    ],
  };
}

/** The text with a line for the state folder; undefined where it has one. */
function addIgnore(text: string): string | undefined {
  if (/^\/?\.wgctl\/?\s*$/m.test(text)) return undefined;
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${end}.wgctl/\n`;
}

function projectText({ projectName, projectUid }: InitRequest): string {
  return `# yaml-language-server: $schema=${schemaPath}
# What belongs together: groups that left these manifests can be pruned, nothing else ever is.
apiVersion: wgctl.dev/v1
kind: Project
metadata:
  name: ${projectName}
  uid: ${projectUid}
spec:
  manifests: [groups/]
`;
}

function exampleText(uid: string, image: string): string {
  return `# yaml-language-server: $schema=../${schemaPath}
# A group of identical workers. The template is a part of a Compose service.
apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata:
  name: example
  uid: ${uid} # never changes: workers are recognised by it
spec:
  replicas: 2
  template:
    image: ${image}
    command: ["sh", "-c", "trap 'exit 0' TERM; while :; do echo working as $$WORKER; sleep 5 & wait; done"]
    environment:
      WORKER: "{{.Service.Name}}-{{.Task.Slot}}" # another one in each worker
    stop_grace_period: 10s
  rollout:
    maxUnavailable: 1 # how many may be missing while workers are replaced
    minReadySeconds: 2 # how long one must run before it counts
`;
}
