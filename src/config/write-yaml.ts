// Writes YAML for machines and people to read. Never used on a file that a person wrote.

import { stringify } from "yaml";

/** A value of JSON as one YAML document, ending in a newline. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
