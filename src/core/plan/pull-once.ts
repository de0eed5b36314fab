// One pull serves every group that wants the image. The first of them has it, the others wait for it.

import type { DraftedGroup } from "./plan-group.ts";
import type { Action } from "./types.ts";

/** Takes out pulls of an image that a group before pulls in the same plan. */
export function pullOnce(groups: readonly DraftedGroup[]): readonly DraftedGroup[] {
  const pulledBy = new Map<string, DraftedGroup>();
  return groups.map((group) => {
    const pull = group.urgent.find(isPull);
    if (pull === undefined) return group;
    const first = pulledBy.get(pull.image) ?? group;
    pulledBy.set(pull.image, first);
    return first === group ? group : waitFor(first, group, pull);
  });
}

function waitFor(first: DraftedGroup, group: DraftedGroup, pull: Pull): DraftedGroup {
  const { plan, urgent } = group;
  const phrase = `image ${pull.image}, which is pulled for ${first.plan.identity.name}`;
  return {
    ...group,
    urgent: urgent.filter((action) => action !== pull),
    plan: {
      ...plan,
      waitingFor: [phrase, ...plan.waitingFor],
      forecast: { ...plan.forecast, actions: plan.forecast.actions - 1 },
    },
  };
}

type Pull = Action & { readonly kind: "pull-image" };

function isPull(action: Action): action is Pull {
  return action.kind === "pull-image";
}
