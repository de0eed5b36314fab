// What is said against the lines of a template, in a form that fits a table.

import { loadText, manifest } from "./manifests.ts";

/** Each problem as `path: message (hint)`, without `spec.template.`. */
export async function refusals(template: string, spec = "replicas: 1"): Promise<readonly string[]> {
  const { problems } = await loadText(manifest(template, { spec }));
  return problems.map(({ path, message, hint = "-" }) => {
    const field = path.replace(/^spec\.template\.?/, "");
    return `${field}: ${message} (${hint})`;
  });
}
