// The fields of a template that say how a worker finds others by name.

import * as z from "zod/mini";
import {
  type ExtraHost,
  readExtraHost,
  readHostAddress,
  readHostOfAddress,
  readNameServer,
  readResolverOption,
  readSearchDomain,
} from "../forms/hosts.ts";
import type { Reading } from "../forms/reading.ts";
import { namesAre } from "./keyed.ts";
import { leaf, maybe } from "./parts.ts";

/** One text, or a list of them; each once. */
function oneOrMore(read: (text: string) => Reading<string>) {
  const one = leaf(read);
  return z.pipe(
    z.union([one, z.array(one)]),
    z.transform((input): readonly string[] => [...new Set(Array.isArray(input) ? input : [input])]),
  );
}

const extraHosts = z.pipe(
  z.union([
    z
      .record(z.string(), oneOrMore(readHostAddress))
      .check(namesAre("is no name of a host", readHostOfAddress)),
    z.array(leaf(readExtraHost)),
  ]),
  z.transform((input): Readonly<Record<string, readonly string[]>> => {
    if (Array.isArray(input)) return joinHosts(input);
    return joinHosts(Object.entries(input).map(([host, addresses]) => ({ host, addresses })));
  }),
);

/** Every address of a host once, in the order they were given. */
function joinHosts(hosts: readonly ExtraHost[]): Readonly<Record<string, readonly string[]>> {
  const joined = new Map<string, readonly string[]>();
  for (const { host, addresses } of hosts)
    joined.set(host, [...new Set([...(joined.get(host) ?? []), ...addresses])]);
  return Object.fromEntries(joined);
}

export const resolvingFields = {
  dns: maybe(oneOrMore(readNameServer)),
  dns_search: maybe(oneOrMore(readSearchDomain)),
  dns_opt: maybe(z.array(leaf(readResolverOption))),
  extra_hosts: maybe(extraHosts),
};
