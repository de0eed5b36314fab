// `wgctl history`: what was done and what came of it, from the journal. Needs no engine and writes nothing.

import { EXIT } from "../../app/verdict.ts";
import type { HistoryEntry } from "../../core/journal.ts";
import { readHistory } from "../../store/journal-history.ts";
import { historyJson, renderHistory } from "../../view/history.ts";
import { plural } from "../../view/text.ts";
import { findSite } from "../find-site.ts";
import { openHost, showProblems } from "../host.ts";
import { openProject, stateFolder, workingFolder } from "../open.ts";
import type { EngineOptions, OutputOptions } from "../options.ts";
import { print } from "../print.ts";

export type HistoryOptions = EngineOptions &
  OutputOptions & {
    readonly group: readonly string[];
    readonly limit?: number;
  };

export async function historyCommand(options: HistoryOptions): Promise<number> {
  const host = openHost(options);
  const { project, problems } = await openProject(workingFolder());
  showProblems(host, problems);
  // Only a simulated world decides where its state is kept; for docker no engine has to be found.
  const folder =
    options.engine === "docker"
      ? stateFolder(options, project)
      : (await findSite(options, project)).stateFolder;
  const { entries, unreadable } = await readHistory(folder);
  if (unreadable > 0) {
    const message = `${plural(unreadable, "line")} of the journal cannot be read, and ${unreadable === 1 ? "is" : "are"} left out`;
    host.reporter.notify({ kind: "notice", severity: "warning", message });
  }
  const shown = choose(entries, options);
  const { paint, streams } = host;
  const document = {
    text: () => renderHistory(shown, { paint, width: streams.outWidth }),
    data: () => historyJson(shown, unreadable),
  };
  await print(document, options.output, streams.out);
  return EXIT.done;
}

/** Those of the chosen groups, and the newest of them. A group may be gone, so that no name is wrong. */
function choose(
  entries: readonly HistoryEntry[],
  { group, limit }: HistoryOptions,
): readonly HistoryEntry[] {
  const isMeant = ({ namespace, group: name }: HistoryEntry) =>
    group.length === 0 || group.includes(name) || group.includes(`${namespace}/${name}`);
  const chosen = entries.filter(isMeant);
  return limit === undefined ? chosen : chosen.slice(-limit);
}
