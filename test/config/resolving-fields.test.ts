// Names, addresses and name servers: forms, and what has no effect in whose network.

import { expect, test } from "vitest";
import { manifest, specOf } from "./manifests.ts";
import { refusals } from "./refusals.ts";

test.each<readonly [string, object]>([
  ["dns: 1.1.1.1", { dns: ["1.1.1.1"] }],
  ["dns: [8.8.8.8, 1.1.1.1, 8.8.8.8]", { dns: ["8.8.8.8", "1.1.1.1"] }],
  ["dns: ['2001:DB8::1']", { dns: ["2001:db8::1"] }],
  ["dns: []\ndns_search: []\ndns_opt: []\nextra_hosts: []", {}],
  ["dns_search: .", { dns_search: ["."] }],
  ["dns_search: [b.example, a.example]", { dns_search: ["b.example", "a.example"] }],
  ["dns_opt: ['ndots:2', use-vc]", { dns_opt: ["ndots:2", "use-vc"] }],
  [
    "extra_hosts: ['a:::1', 'b:[::1]', 'c=::1', 'd=[2001:DB8::1]', 'e:192.0.2.1', 'f=host-gateway']",
    {
      extra_hosts: {
        a: ["::1"],
        b: ["::1"],
        c: ["::1"],
        d: ["2001:db8::1"],
        e: ["192.0.2.1"],
        f: ["host-gateway"],
      },
    },
  ],
  [
    "extra_hosts: ['a=192.0.2.2,192.0.2.1', 'a:192.0.2.3', 'a=192.0.2.2']",
    { extra_hosts: { a: ["192.0.2.2", "192.0.2.1", "192.0.2.3"] } },
  ],
  [
    "extra_hosts: {a: 192.0.2.1, b: ['[::1]', 192.0.2.1, '::1']}",
    { extra_hosts: { a: ["192.0.2.1"], b: ["::1", "192.0.2.1"] } },
  ],
  [
    "network_mode: host\ndns: 1.1.1.1\nhostname: a\nextra_hosts: {a: 192.0.2.1}",
    { network_mode: "host", dns: ["1.1.1.1"], hostname: "a", extra_hosts: { a: ["192.0.2.1"] } },
  ],
  [
    "network_mode: none\nhostname: a\nextra_hosts: {a: 127.0.0.1}\nsysctls: {net.core.somaxconn: 1}",
    {
      network_mode: "none",
      hostname: "a",
      extra_hosts: { a: ["127.0.0.1"] },
      sysctls: { "net.core.somaxconn": "1" },
    },
  ],
  [
    "network_mode: container:x\nsysctls: {net.core.somaxconn: 1}",
    { network_mode: "container:x", sysctls: { "net.core.somaxconn": "1" } },
  ],
])("%s", async (yaml, expected) => {
  expect((await specOf(manifest(yaml))).template).toEqual({ image: "busybox:1.36", ...expected });
});

const noAddress = "(write an address such as 192.0.2.1, or host-gateway)";
const noHost = "(write it as host=192.0.2.1)";
const noEffect = (field: string, mode: string) =>
  `${field}: ${field} has no effect with network_mode ${mode} (take one of them out)`;

test.each<readonly [string, ...string[]]>([
  [
    "dns: [dns.example, 1.1.1]",
    'dns[0]: "dns.example" is no address of a name server (write an address such as 192.0.2.53)',
    'dns[1]: "1.1.1" is no address of a name server (write an address such as 192.0.2.53)',
  ],
  ["dns_search: a b", 'dns_search: "a b" is no domain (write one to an item)'],
  ["dns_opt: use-vc", "dns_opt: dns_opt is a single value (write a list)"],
  [
    "dns_opt: [use-vc ndots:2]",
    'dns_opt[0]: "use-vc ndots:2" is no option of the resolver (write one such as ndots:2 to an item)',
  ],
  [
    "extra_hosts: [a, ':192.0.2.1', 'b:192.0.2', 'c=', 'd e=::1', 'f=192.0.2.1,x']",
    `extra_hosts[0]: "a" has no address ${noHost}`,
    `extra_hosts[1]: ":192.0.2.1" begins with no name of a host ${noHost}`,
    `extra_hosts[2]: "b:192.0.2" has no valid address ${noAddress}`,
    `extra_hosts[3]: "c=" has no valid address ${noAddress}`,
    `extra_hosts[4]: "d e=::1" begins with no name of a host ${noHost}`,
    `extra_hosts[5]: "f=192.0.2.1,x" has no valid address ${noAddress}`,
  ],
  [
    "extra_hosts: {a: x, b: [192.0.2.1, y], 'c:d': 192.0.2.1, e: }",
    `extra_hosts.a: "x" has no valid address ${noAddress}`,
    `extra_hosts.b[1]: "y" has no valid address ${noAddress}`,
    `extra_hosts."c:d": c:d is no name of a host ${noHost}`,
    "extra_hosts.e: e is empty (give it a value)",
  ],
  [
    "network_mode: none\ndns: 1.1.1.1\ndns_search: a\ndns_opt: [a]",
    noEffect("dns", "none"),
    noEffect("dns_search", "none"),
    noEffect("dns_opt", "none"),
  ],
  [
    "network_mode: container:x\ndns: 1.1.1.1\nhostname: a\nextra_hosts: {a: 192.0.2.1}",
    noEffect("dns", "container:x"),
    noEffect("hostname", "container:x"),
    noEffect("extra_hosts", "container:x"),
  ],
])("%s is refused", async (yaml, ...expected) => {
  expect(await refusals(yaml)).toEqual(expected);
});
