// The fields of a template that say what its processes may do and what they share with the host.

import * as z from "zod/mini";
import type { Ulimit } from "../../core/template.ts";
import { readCapability } from "../forms/capabilities.ts";
import { readGroup, readRuntime } from "../forms/names.ts";
import { readIpc, readPid, readUserns } from "../forms/namespaces.ts";
import { readBoolean, readInteger } from "../forms/numbers.ts";
import { readPlatform } from "../forms/platform.ts";
import { readSecurityOption } from "../forms/security.ts";
import { readUlimit, readUlimitName } from "../forms/ulimits.ts";
import { keyed, namesAre, type Pair, textsOf, type Wrong } from "./keyed.ts";
import { fields, leaf, maybe, rule } from "./parts.ts";

const limit = leaf(readUlimit, "integer");

const softAndHard = fields({ soft: limit, hard: limit }).check(
  rule<Ulimit>(({ soft, hard }, complain) => {
    if (soft === undefined || hard === undefined || !isAbove(soft, hard)) return;
    complain(["soft"], `the soft limit ${soft} is above the hard limit ${hard}`, {
      hint: "raise the hard limit, or lower the soft one",
    });
  }),
);

/** -1 is no limit, which is above any. */
function isAbove(soft: number, hard: number): boolean {
  return hard !== -1 && (soft === -1 || soft > hard);
}

const ulimit = z.union([
  z.pipe(
    limit,
    z.transform((value): Ulimit => ({ soft: value, hard: value })),
  ),
  softAndHard,
]);

const ulimits = z.record(z.string(), ulimit).check(namesAre("is no ulimit", readUlimitName));

function judgeSysctl({ key, value }: Pair): Wrong | undefined {
  if (!/^[a-z0-9_-]+([./][a-zA-Z0-9_-]+)+$/.test(key))
    return {
      message: "is not the name of a sysctl",
      about: "name",
      hint: "write it as net.core.somaxconn: 1024",
    };
  if (value !== null && value !== "") return undefined;
  return { message: "has no value", about: "name", hint: "give it one" };
}

const sysctls = textsOf(keyed(judgeSysctl));

const flag = maybe(leaf(readBoolean, "boolean"));

export const processFields = {
  platform: maybe(leaf(readPlatform)),
  runtime: maybe(leaf(readRuntime)),
  privileged: flag,
  cap_add: maybe(z.array(leaf(readCapability))),
  cap_drop: maybe(z.array(leaf(readCapability))),
  security_opt: maybe(z.array(leaf(readSecurityOption))),
  read_only: flag,
  group_add: maybe(z.array(leaf(readGroup))),
  userns_mode: maybe(leaf(readUserns)),
  ipc: maybe(leaf(readIpc)),
  pid: maybe(leaf(readPid)),
  ulimits: maybe(ulimits),
  sysctls: maybe(sysctls),
  oom_score_adj: maybe(leaf((text) => readInteger(text, -1000, 1000), "integer")),
};
