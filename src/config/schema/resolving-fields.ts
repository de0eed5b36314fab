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
import { always, leaf, maybe } from "./parts.ts";

/** One text, or a list of them. */
function oneOrMore(read: (text: string) => Reading<string>) {
  const one = leaf(read);
  return z.pipe(
    z.union([one, z.array(one)]),
    z.transform((input): readonly string[] => (Array.isArray(input) ? input : [input])),
  );
}

const hostNames = always<Readonly<Record<string, readonly string[]>>>((payload) => {
  if (typeof payload.value !== "object" || payload.value === null) return;
  for (const name of Object.keys(payload.value)) {
    const host = readHostOfAddress(name);
    if (!host.ok)
      payload.issues.push({
        ...{ code: "custom", input: payload.value, path: [name] },
        message: "is no name of a host",
        params: { hint: "write host: 192.0.2.1", about: "name" },
      });
  }
});

const extraHosts = z.pipe(
  z.union([
    z.record(z.string(), oneOrMore(readHostAddress)).check(hostNames),
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
