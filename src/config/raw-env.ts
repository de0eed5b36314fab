// Files of variables with the format `raw`, as `docker run --env-file` reads them: a value is what stands behind the =,
// quotes, blanks and dollars included.

import type { EnvFault, EnvFile } from "./dotenv.ts";

/** Reads such a file; a name without a value takes it from the variables of the run. */
export function parseRawEnvFile(text: string): EnvFile {
  const values = new Map<string, string | undefined>();
  const faults: EnvFault[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const entry = line.trimStart();
    if (entry === "" || entry.startsWith("#")) continue;
    const [name = ""] = entry.split("=", 1);
    if (name === "" || /[ \t]/.test(name)) faults.push(faultAt(index + 1, name));
    else values.set(name, name === entry ? undefined : entry.slice(name.length + 1));
  }
  return { values, parts: [], faults };
}

// What is no name may be the rest of a value, so it is not shown.
function faultAt(line: number, name: string): EnvFault {
  const message = name === "" ? "no name before the =" : "a name with blanks in it";
  return {
    line,
    message,
    hint: "write NAME=value; format: raw knows no export, and no value over several lines",
  };
}
