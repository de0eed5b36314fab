import { expect, it } from "vitest";
import { normalHost, parseReference, serverAddress } from "../../../src/engine/docker/reference.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

it.each([
  ["mailer", "docker.io", "mailer", "latest"],
  ["mailer:1", "docker.io", "mailer", "1"],
  ["acme/mailer:1", "docker.io", "acme/mailer", "1"],
  ["ghcr.io/acme/mailer:1.4.2", "ghcr.io", "ghcr.io/acme/mailer", "1.4.2"],
  ["localhost/mailer", "localhost", "localhost/mailer", "latest"],
  ["127.0.0.1:5000/mailer", "127.0.0.1:5000", "127.0.0.1:5000/mailer", "latest"],
  ["registry:5000/a/b:2", "registry:5000", "registry:5000/a/b", "2"],
  ["docker.io/library/mailer:1", "docker.io", "docker.io/library/mailer", "1"],
  ["index.docker.io/acme/mailer", "docker.io", "index.docker.io/acme/mailer", "latest"],
  [`mailer@${DIGEST}`, "docker.io", "mailer", DIGEST],
  [`reg.io/mailer:1@${DIGEST}`, "reg.io", "reg.io/mailer", DIGEST],
])("takes %s apart", (text, registry, repository, version) => {
  expect(parseReference(text)).toEqual({ registry, repository, version });
});

it.each([
  ["https://index.docker.io/v1/", "docker.io"],
  ["registry-1.docker.io", "docker.io"],
  ["https://ghcr.io", "ghcr.io"],
  ["http://reg:5000/v2/", "reg:5000"],
  ["reg:5000", "reg:5000"],
])("knows %s as %s", (text, host) => {
  expect(normalHost(text)).toBe(host);
});

it("knows Docker Hub by the address docker login uses", () => {
  expect(serverAddress("docker.io")).toBe("https://index.docker.io/v1/");
  expect(serverAddress("ghcr.io")).toBe("ghcr.io");
});
