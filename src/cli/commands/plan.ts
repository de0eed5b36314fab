// `wgctl plan`: shows what apply would do now. Holds an engine that cannot be written to, and writes no file.

import { discreetReader } from "../../app/discreet-engine.ts";
import { ImageWatch } from "../../app/image-watch.ts";
import { Lineage } from "../../app/lineage.ts";
import { recall } from "../../app/memory.ts";
import { planPass } from "../../app/plan-pass.ts";
import { engineId } from "../../app/same-engine.ts";
import { planExit } from "../../app/verdict.ts";
import type { Plan } from "../../core/plan/types.ts";
import type { EngineReader } from "../../engine/engine.ts";
import { planJson } from "../../view/json.ts";
import { renderPlan } from "../../view/plan-text.ts";
import { renderVariables } from "../../view/variables-text.ts";
import { print } from "../print.ts";
import {
  DEFAULT_ACTIONS_PER_PASS,
  openSession,
  type Session,
  type SessionOptions,
} from "../session.ts";

export type PlanOptions = SessionOptions & {
  readonly prune?: boolean;
  readonly allowMassDelete: boolean;
  readonly allowOlder: boolean;
  readonly retry: boolean;
  readonly detailedExitcode: boolean;
};

const NEVER = new AbortController().signal;

export async function planCommand(options: PlanOptions): Promise<number> {
  const session = await openSession(options);
  const opened = await session.site.openReader();
  const reader = discreetReader(opened.reader, session.workspace.groups);
  try {
    const plan = await makePlan(reader, session, options);
    const { paint, streams } = session.host;
    const document = {
      text: (wide: boolean) =>
        renderVariables(session.variables, paint) + renderPlan(plan, { paint, wide }),
      data: () => ({ ...planJson(plan), variables: session.variables }),
    };
    await print(document, options.output, streams.out);
    return planExit(plan, options.detailedExitcode);
  } finally {
    await reader.close();
  }
}

/** One look at the engine, and the plan made on it. Throws `engine-*`. */
export async function makePlan(
  reader: EngineReader,
  { host, workspace }: Pick<Session, "host" | "workspace">,
  options: Pick<PlanOptions, "prune" | "allowMassDelete" | "allowOlder" | "retry">,
): Promise<Plan> {
  const { project, stateFolder } = workspace;
  const { status: memory, pending } = await recall(stateFolder, host.reporter);
  const warn = (message: string) =>
    host.reporter.notify({ kind: "notice", severity: "warning", message });
  const request = {
    workspace,
    memory,
    pending,
    prune: options.prune ?? project?.prune ?? false,
    allowMassDelete: options.allowMassDelete,
    budget: project?.actionsPerPass ?? DEFAULT_ACTIONS_PER_PASS,
    holds: {},
    watch: new ImageWatch(() => 0),
    retryBefore: options.retry ? ("now" as const) : undefined,
    lineage: options.allowOlder ? undefined : new Lineage(workspace.folder, warn),
  };
  const plan = await planPass(reader, request, NEVER);
  await engineId(reader, memory, plan, NEVER);
  return plan;
}
