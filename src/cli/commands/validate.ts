// `wgctl validate`: reads the manifests and says everything that is wrong with them. Needs no engine.

import { EXIT } from "../../app/verdict.ts";
import { manifestsJson } from "../../view/documents-json.ts";
import { renderProblems } from "../../view/problems-text.ts";
import { openHost } from "../host.ts";
import { openManifests } from "../manifests.ts";
import type { ManifestOptions, OutputOptions } from "../options.ts";
import { print } from "../print.ts";

export async function validateCommand(options: ManifestOptions & OutputOptions): Promise<number> {
  const { paint, streams } = openHost(options);
  const { groups, problems, complete } = await openManifests(options, { advice: true });
  const isGood = complete && problems.every(({ severity }) => severity !== "error");
  const document = {
    text: () =>
      renderProblems(problems, paint) +
      (isGood
        ? `${groups.length} ${groups.length === 1 ? "group is" : "groups are"} valid.\n`
        : ""),
    data: () => manifestsJson(groups, problems, isGood),
  };
  await print(document, options.output, streams.out);
  return isGood ? EXIT.done : EXIT.userMustAct;
}
