// Problems in files as text: place, message, path, frame and hint, and a line that counts them.

import type { Problem } from "../core/model.ts";
import type { Paint } from "./style.ts";
import { plural, printable } from "./text.ts";

/** All problems in the order given, then their number; empty for none, else ending in a newline. */
export function renderProblems(problems: readonly Problem[], paint: Paint): string {
  if (problems.length === 0) return "";
  const parts = problems.map((problem) => renderProblem(problem, paint).join("\n"));
  return `${[...parts, countLine(problems)].join("\n\n")}\n`;
}

/** One problem, the first line in the form that editors and CI systems recognise. */
function renderProblem(problem: Problem, paint: Paint): readonly string[] {
  const { place, severity, message, path, frame, hint, lint } = problem;
  const at = paint("strong", `${printable(place.file)}:${place.line}:${place.column}:`);
  const kind = paint(severity === "error" ? "alert" : "change", `${severity}:`);
  return [
    `${at} ${kind} ${printable(message)}${lint === undefined ? "" : ` [${lint}]`}`,
    ...(path === "" ? [] : [paint("faint", `  in ${printable(path)}`)]),
    ...(frame === undefined ? [] : frameLines(frame)),
    ...(hint === undefined ? [] : [`  hint: ${printable(hint)}`]),
  ];
}

function frameLines(frame: string): readonly string[] {
  return frame
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `  ${printable(line)}`.trimEnd());
}

function countLine(problems: readonly Problem[]): string {
  const count = (severity: Problem["severity"]) =>
    problems.filter((problem) => problem.severity === severity).length;
  const files = new Set(problems.map((problem) => problem.place.file)).size;
  const parts = [
    count("error") === 0 ? "" : plural(count("error"), "error"),
    count("warning") === 0 ? "" : plural(count("warning"), "warning"),
  ];
  return `${parts.filter((part) => part !== "").join(", ")} in ${plural(files, "file")}`;
}
