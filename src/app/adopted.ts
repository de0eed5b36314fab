// Looks at the containers that groups adopt. They carry no label of ours, so each is asked for by its id.

import { canonicalJson } from "../core/canonical.ts";
import { hasCode } from "../core/errors.ts";
import type { DesiredGroup } from "../core/model.ts";
import type { AdoptedContainer, Snapshot } from "../core/observed.ts";
import { sealForeign } from "../core/seal.ts";
import type { Template } from "../core/template.ts";
import type { EngineReader } from "../engine/engine.ts";

type Adopter = DesiredGroup & { readonly kind: "valid" };

/** More at once only stretches each question. */
const AT_ONCE = 8;
/** Labels by which compose knows its own: a worker has none of them, and that says nothing of its template. */
const BOOKKEEPING = "com.docker.compose.";

/** What the engine shows of every container that one of the groups adopts; nothing where none does. Throws `engine-*`. */
export async function lookAtAdopted(
  reader: EngineReader,
  groups: readonly DesiredGroup[],
  signal: AbortSignal,
): Promise<Pick<Snapshot, "adopted">> {
  const wanted = groups.flatMap((group) =>
    group.kind === "valid" ? (group.adopt ?? []).map((id) => ({ id, group })) : [],
  );
  if (wanted.length === 0) return {};
  const adopted: Record<string, AdoptedContainer> = {};
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const looks = wanted.slice(from, from + AT_ONCE).map(async ({ id, group }) => {
      const found = await lookAt(reader, id, group, signal);
      if (found !== undefined) adopted[id] = found;
    });
    await Promise.all(looks);
  }
  return { adopted };
}

/** Undefined: it is gone. */
async function lookAt(
  reader: EngineReader,
  id: string,
  group: Adopter,
  signal: AbortSignal,
): Promise<AdoptedContainer | undefined> {
  try {
    const [found, template] = await Promise.all([
      reader.inspectWorker(id, signal),
      reader.readTemplate(id, signal),
    ]);
    if (found === undefined || template === undefined) return undefined;
    return {
      kind: "known",
      facts: found.facts,
      template: canonicalJson(concealed(template, group)),
    };
  } catch (error) {
    if (hasCode(error, ...UNTOLD)) return { kind: "unknown" };
    throw error;
  }
}

/** The engine answers, and does not say what it is asked for. */
const UNTOLD = ["engine-timeout", "engine-failed", "engine-rejected", "engine-denied"] as const;

/** Without anything that could be a secret of whoever made it. */
function concealed(template: Template, { identity, spec }: Adopter): Template {
  const { labels, ...rest } = sealForeign(template, spec.template, identity.uid).template;
  const own = Object.entries(labels ?? {}).filter(([name]) => !name.startsWith(BOOKKEEPING));
  return own.length === 0 ? rest : { ...rest, labels: Object.fromEntries(own) };
}
