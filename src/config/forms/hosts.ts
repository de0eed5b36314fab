// Names and addresses that a worker finds others by.

import { isIP } from "node:net";
import { bad, good, type Reading } from "./reading.ts";

const gateway = "host-gateway";

/** A host and what its name stands for. */
export type ExtraHost = { readonly host: string; readonly addresses: readonly string[] };

/** `host=address` or `host:address`, several addresses with commas; IPv6 with brackets or without. */
export function readExtraHost(text: string): Reading<ExtraHost> {
  const separator = text.includes("=") ? "=" : ":";
  const at = text.indexOf(separator);
  if (at === -1) return bad("has no address", "write it as host=192.0.2.1");
  const host = readHostOfAddress(text.slice(0, at));
  if (!host.ok) return host;
  const addresses: string[] = [];
  for (const part of text.slice(at + 1).split(",")) {
    const address = readHostAddress(part);
    if (!address.ok) return address;
    addresses.push(address.value);
  }
  return good({ host: host.value, addresses });
}

export function readHostOfAddress(text: string): Reading<string> {
  return /^[^\s:=,]+$/.test(text)
    ? good(text)
    : bad("begins with no name of a host", "write it as host=192.0.2.1");
}

/** An address for a name, or `host-gateway`, which stands for the engine's host. */
export function readHostAddress(text: string): Reading<string> {
  const address = text.replace(/^\[(.*)\]$/, "$1");
  if (address === gateway || isIP(address) !== 0) return good(address.toLowerCase());
  return bad("has no valid address", `write an address such as 192.0.2.1, or ${gateway}`);
}

/** The address of a name server. */
export function readNameServer(text: string): Reading<string> {
  return isIP(text) === 0
    ? bad("is no address of a name server", "write an address such as 192.0.2.53")
    : good(text.toLowerCase());
}

/** A domain that short names are looked up in; `.`: none. */
export function readSearchDomain(text: string): Reading<string> {
  return /^(\.|[^\s,]+)$/.test(text) ? good(text) : bad("is no domain", "write one to an item");
}

/** An option of the resolver, `ndots:2`. */
export function readResolverOption(text: string): Reading<string> {
  return /^[^\s,]+$/.test(text)
    ? good(text)
    : bad("is no option of the resolver", "write one such as ndots:2 to an item");
}
