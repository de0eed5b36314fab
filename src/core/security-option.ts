// One form for what Docker takes as a security option in several: what is declared and what a container has can be
// compared by it.

/** No path of the kernel's own file systems is hidden or read-only. */
export const OPEN_PATHS = "systempaths=unconfined";

/** `key=value`; an older `:` becomes `=`, and the word `no-new-privileges` gets its value. */
export function canonicalSecurityOption(text: string): string {
  if (text === "no-new-privileges") return "no-new-privileges=true";
  return text.includes("=") ? text : text.replace(":", "=");
}
