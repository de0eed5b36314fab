// Which variables a plan rests on: a run elsewhere with others would plan something else.

import type { Paint } from "./style.ts";

/** One line and an empty one, or nothing where no variable was used. Never shows a value. */
export function renderVariables(
  used: readonly { readonly name: string; readonly from: "shell" | "file" }[],
  paint: Paint,
): string {
  if (used.length === 0) return "";
  const names = used.map(({ name, from }) => (from === "shell" ? `${name} (shell)` : name));
  return `${paint("faint", `variables: ${names.join(", ")}`)}\n\n`;
}
