// `wgctl status`: how the groups are doing, from the engine where it answers and from the file where it does not.

import { discreetReader } from "../../app/discreet-engine.ts";
import { recall } from "../../app/memory.ts";
import { reportStatus, type StatusReport } from "../../app/status.ts";
import { EXIT } from "../../app/verdict.ts";
import { statusJson } from "../../view/documents-json.ts";
import { renderStatus } from "../../view/status-text.ts";
import { showFailure } from "../host.ts";
import { print } from "../print.ts";
import { openSession, type Session, type SessionOptions } from "../session.ts";

export type StatusOptions = SessionOptions & { readonly detailedExitcode: boolean };

const NEVER = new AbortController().signal;

export async function statusCommand(options: StatusOptions): Promise<number> {
  const session = await openSession(options);
  const { host, workspace } = session;
  const opened = await session.site.openReader();
  const reader = discreetReader(opened.reader, workspace.groups);
  try {
    const memory = await recall(workspace.stateFolder, host.reporter);
    const report = await reportStatus(reader, workspace, memory, opened.now(), NEVER);
    await printReport(report, session, options);
    if (report.trouble !== undefined) {
      return showFailure(report.trouble, host.streams.err, host.errPaint);
    }
    return options.detailedExitcode && !report.converged ? EXIT.changesPending : EXIT.done;
  } finally {
    await reader.close();
  }
}

async function printReport(
  report: StatusReport,
  { host }: Session,
  { output }: StatusOptions,
): Promise<void> {
  const { document, now, source } = report;
  const { paint, streams } = host;
  const rendering = {
    text: (wide: boolean) => renderStatus(document, { paint, wide, width: streams.outWidth, now }),
    data: () => statusJson(report),
  };
  if (source === "file") {
    host.reporter.notify({
      kind: "notice",
      severity: "warning",
      message: "the engine does not answer: workers and counts are what the status file last said",
    });
  }
  await print(rendering, output, streams.out);
}
