// What a container's process was asked to be, told from what its image says. Pure.

import { definedOnly, unlessEmpty } from "../../core/defined.ts";
import { isReservedLabel } from "../../core/labels.ts";
import type { Healthcheck, Template } from "../../core/template.ts";
import { signalName } from "./signals.ts";
import {
  at,
  isAbsent,
  readItems,
  readNumber,
  readOr,
  readText,
  readTexts,
  type Wire,
} from "./wire.ts";

const BILLION = 1e9;
const SHORT_ID = 12;

/** Decodes the `Config` of a container but for ports and volumes. */
export function decodeConfig(container: Wire, image: Wire, engineHost: string): Template {
  const [own, given] = [at(container, "Config"), at(image, "Config")];
  return definedOnly<Template>({
    image: readText(at(own, "Image")),
    ...decodeWords(own, given),
    environment: unlessEmpty(added(readEnvironment(own), readEnvironment(given))),
    labels: unlessEmpty(decodeLabels(own, given)),
    healthcheck: decodeHealthcheck(at(own, "Healthcheck"), at(given, "Healthcheck")),
    stop_signal: decodeSignal(own, given),
    stop_grace_period: readOr(at(own, "StopTimeout"), readNumber, undefined),
    working_dir: differing(own, given, "WorkingDir"),
    user: differing(own, given, "User"),
    hostname: decodeHostname(container, engineHost),
  });
}

/**
 * Command and entrypoint. The image's command goes with the image's entrypoint: where another one is given the engine
 * forgets it, and its absence tells that an entrypoint was given which is the image's own.
 */
function decodeWords(own: Wire, given: Wire): Pick<Template, "command" | "entrypoint"> {
  const [entrypoint, imageEntrypoint] = [words(own, "Entrypoint"), words(given, "Entrypoint")];
  const [command, imageCommand] = [words(own, "Cmd"), words(given, "Cmd")];
  const isForgotten = command.length === 0 && imageCommand.length > 0;
  const isOther = !areEqual(entrypoint, imageEntrypoint) || isForgotten;
  const isImages = areEqual(command, imageCommand) && (!isOther || entrypoint.length === 0);
  return definedOnly<Pick<Template, "command" | "entrypoint">>({
    entrypoint: isOther ? entrypoint : undefined,
    command: isImages || command.length === 0 ? undefined : command,
  });
}

function words(config: Wire, key: string): readonly string[] {
  return readItems(at(config, key)).map(readText);
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** An entry without a sign takes a variable of the image away, for which templates have no word. */
function readEnvironment(config: Wire): Readonly<Record<string, string>> {
  const entries = words(config, "Env").flatMap((entry) => {
    const sign = entry.indexOf("=");
    return sign < 0 ? [] : [[entry.slice(0, sign), entry.slice(sign + 1)] as const];
  });
  return Object.fromEntries(entries);
}

function decodeLabels(own: Wire, given: Wire): Readonly<Record<string, string>> {
  const all = added(readTexts(at(own, "Labels")), readTexts(at(given, "Labels")));
  return Object.fromEntries(Object.entries(all).filter(([key]) => !isReservedLabel(key)));
}

function added(
  own: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(own).filter(([key, value]) => given[key] !== value));
}

/** Each part that a template leaves out is the image's, and without one the engine's. */
function decodeHealthcheck(own: Wire, given: Wire): Healthcheck | undefined {
  const [test, imageTest] = [words(own, "Test"), words(given, "Test")];
  if (test[0] === "NONE") return imageTest[0] === "NONE" ? undefined : { test: ["NONE"] };
  const part = (key: string) => {
    const value = readOr(at(own, key), readNumber, 0);
    return value === 0 || value === readOr(at(given, key), readNumber, 0) ? undefined : value;
  };
  const seconds = (key: string) => {
    const value = part(key);
    return value && value / BILLION;
  };
  const check = definedOnly<Healthcheck>({
    test: test.length === 0 || areEqual(test, imageTest) ? undefined : test,
    interval: seconds("Interval"),
    timeout: seconds("Timeout"),
    start_period: seconds("StartPeriod"),
    retries: part("Retries"),
  });
  return unlessEmpty(check);
}

// Clients wrote the engine's default where nothing was asked for.
function decodeSignal(own: Wire, given: Wire): string | undefined {
  const signalOf = (config: Wire) => signalName(textIn(config, "StopSignal") || "SIGTERM");
  return signalOf(own) === signalOf(given) ? undefined : signalOf(own);
}

function differing(own: Wire, given: Wire, key: string): string | undefined {
  const value = textIn(own, key);
  return value === "" || value === textIn(given, key) ? undefined : value;
}

function textIn(config: Wire, key: string): string {
  return readOr(at(config, key), readText, "");
}

/** The engine's own choice is the beginning of the id, or the name of whoever's network the container shares. */
function decodeHostname(container: Wire, engineHost: string): string | undefined {
  const hostname = at(container, "Config", "Hostname");
  const mode = textIn(at(container, "HostConfig"), "NetworkMode");
  if (isAbsent(hostname) || mode.startsWith("container:")) return undefined;
  const chosen = ["", readText(at(container, "Id")).slice(0, SHORT_ID)];
  const name = readText(hostname);
  return chosen.includes(name) || (mode === "host" && name === engineHost) ? undefined : name;
}
