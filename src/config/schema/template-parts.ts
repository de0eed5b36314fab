// The schemas of a template's nested fields, each normalised to one form.

import * as z from "zod/mini";
import type { Healthcheck, NetworkAttachment, PortMapping } from "../../core/model.ts";
import { definedOnly } from "../defined.ts";
import {
  readBoolean,
  readCpus,
  readDuration,
  readInteger,
  readInterval,
  readMemory,
} from "../forms/numbers.ts";
import {
  readHostIp,
  readPort,
  readProtocol,
  readPublished,
  readTargetPort,
} from "../forms/ports.ts";
import { bad, good } from "../forms/reading.ts";
import { type MountDraft, readMount, readTarget, readVolumeName } from "../forms/volumes.ts";
import { choice, fields, leaf, maybe, rule, text } from "./parts.ts";
import {
  deployStrangers,
  healthStrangers,
  limitStrangers,
  networkStrangers,
  portStrangers,
  resourceStrangers,
  volumeStrangers,
} from "./strangers.ts";

const flag = leaf(readBoolean);

const longMount = z.pipe(
  fields(
    {
      type: choice(["bind", "volume"], ["tmpfs", "npipe", "cluster", "image"]),
      source: maybe(text(1)),
      target: leaf(readTarget),
      read_only: maybe(flag),
    },
    volumeStrangers,
  ).check(
    rule(({ type, source }, complain) => {
      if (type === "bind" && source === null) complain(["source"], "source is empty");
      if (type === "bind" && source === undefined) complain([], "a bind mount needs a source");
      const name = type === "volume" && source ? readVolumeName(source) : good("");
      if (!name.ok) complain(["source"], name.message, { hint: name.hint, about: "value" });
    }),
  ),
  z.transform(
    ({ type, source, target, read_only }): MountDraft => ({
      type,
      ...(source && { source }),
      target,
      ...(read_only === true && { read_only }),
    }),
  ),
);

export const volumes = z.array(z.union([leaf(readMount), longMount]));

const longPort = z.pipe(
  fields(
    {
      target: leaf(readTargetPort),
      published: maybe(leaf(readPublished)),
      protocol: maybe(leaf(readProtocol)),
      host_ip: maybe(leaf(readHostIp)),
      mode: maybe(choice(["host", "ingress"])),
    },
    portStrangers,
  ),
  z.transform(
    ({ target, published, protocol, host_ip }): PortMapping => ({
      target,
      ...(published && { published }),
      protocol: protocol ?? "tcp",
      ...(host_ip && { host_ip }),
    }),
  ),
);

export const ports = z.array(z.union([leaf(readPort), longPort]));

const networkName = leaf((name) =>
  /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)
    ? good(name)
    : bad("is no name of a network", "write it as `docker network ls` shows it"),
);

export const networks = z.pipe(
  z.union([
    z.array(networkName),
    z.record(z.string(), maybe(fields({ aliases: maybe(z.array(text(1))) }, networkStrangers))),
  ]),
  z.transform((input): Readonly<Record<string, NetworkAttachment>> => {
    if (Array.isArray(input)) return Object.fromEntries(input.map((name) => [name, {}]));
    return Object.fromEntries(
      Object.entries(input).map(([name, network]) => [
        name,
        network?.aliases ? { aliases: network.aliases } : {},
      ]),
    );
  }),
);

export const networkMode = leaf((mode) => {
  if (["none", "host", "bridge"].includes(mode) || /^container:.+/.test(mode)) return good(mode);
  if (mode.startsWith("service:"))
    return bad("names a Compose service", "write container:NAME with the name of a container");
  return bad(
    "is no network mode",
    `write none, host, bridge or container:NAME; for a network of your own, networks: [${mode}]`,
  );
});

const testForms = { NONE: 1, CMD: Number.POSITIVE_INFINITY, "CMD-SHELL": 2 } as const;

const healthTest = z.union([
  leaf((command) =>
    command.trim() === "" ? bad("is empty") : good<readonly string[]>(["CMD-SHELL", command]),
  ),
  z.array(z.string()).check(
    rule<string[]>((test, complain) => {
      const [form = ""] = test;
      if (!isTestForm(form))
        complain([], "a test given as a list begins with CMD, CMD-SHELL or NONE", {
          hint: 'write ["CMD", "bin/healthy"], or the shell command as one text',
        });
      else if (test.length > testForms[form] || (form !== "NONE" && test.length < 2))
        complain([], `a ${form} test of ${test.length - 1} words`, {
          hint:
            form === "CMD-SHELL"
              ? "write the whole shell command as one text"
              : "write at least one word after it",
        });
    }),
  ),
]);

function isTestForm(word: string): word is keyof typeof testForms {
  return Object.hasOwn(testForms, word);
}

export const healthcheck = z.pipe(
  fields(
    {
      test: maybe(healthTest),
      interval: maybe(leaf(readInterval)),
      timeout: maybe(leaf(readInterval)),
      retries: maybe(leaf((count) => readInteger(count, 1, 1000))),
      start_period: maybe(leaf(readDuration)),
      disable: maybe(flag),
    },
    healthStrangers,
  ).check(
    rule(({ test, disable }, complain) => {
      if (disable === true && test && test[0] !== "NONE")
        complain(["disable"], "a health check that is disabled and has a test", {
          hint: "keep one of them",
        });
    }),
  ),
  z.transform(({ disable, test, ...times }): Healthcheck => {
    if (disable === true || test?.[0] === "NONE") return { test: ["NONE"] };
    return definedOnly({ test, ...times });
  }),
);

const limits = fields(
  { cpus: maybe(leaf(readCpus)), memory: maybe(leaf(readMemory)) },
  limitStrangers,
);

export const deploy = fields(
  { resources: maybe(fields({ limits: maybe(limits) }, resourceStrangers)) },
  deployStrangers,
);
