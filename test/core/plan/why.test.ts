// Why a worker is not of the desired revision, in a reason and in words.

import { expect, it } from "vitest";
import { whyOld } from "../../../src/core/plan/why.ts";
import type { Difference } from "../../../src/core/worker.ts";
import { buildWorker, IMAGE_ID } from "../../support/build.ts";

const template: Difference = { kind: "template", paths: ["command"] };
const file: Difference = { kind: "file", paths: ["secrets[/run/secrets/key]"] };
const image: Difference = { kind: "image", from: "mailer:1", to: IMAGE_ID };
const nonce: Difference = { kind: "nonce" };
const network: Difference = { kind: "network", missing: ["shop", "mail"] };

it.each<[string, readonly Difference[], string]>([
  ["the template, with its paths", [template], "template-changed  command"],
  ["what files hold, with their places", [file], "file-changed  secrets[/run/secrets/key]"],
  [
    "files beside the template, as paths like others",
    [file, template],
    "template-changed  command,secrets[/run/secrets/key]",
  ],
  ["files before the image", [image, file], "file-changed  secrets[/run/secrets/key]"],
  [
    "the image, with both ids as docker shows them",
    [image],
    "image-changed mailer:1 -> sha256:111111111111 ",
  ],
  ["the nonce", [nonce], "nonce restartNonce changed "],
  ["the networks it is off", [network], "drift not on network shop, mail "],
  [
    "the template first, which a person changed",
    [network, nonce, image, template],
    "template-changed  command",
  ],
  [
    "the image before nonce and networks",
    [network, nonce, image],
    "image-changed mailer:1 -> sha256:111111111111 ",
  ],
  ["the nonce before networks", [network, nonce], "nonce restartNonce changed "],
])("%s", (_, differences, expected) => {
  const { reason, detail, paths } = whyOld(buildWorker({ differences }));
  expect(`${reason} ${detail} ${paths.join(",")}`).toBe(expected);
});
