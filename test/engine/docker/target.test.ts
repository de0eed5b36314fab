import { expect, it } from "vitest";
import { parseHost, type TlsMaterial } from "../../../src/engine/docker/target.ts";

const TLS: TlsMaterial = { ca: "CA", cert: "CERT", key: "KEY", verify: true };
const SYSTEM_TLS = { ca: undefined, cert: undefined, key: undefined, verify: true };

const tcp = (host: string, port: number, tls: unknown = undefined) => ({
  kind: "tcp",
  host,
  port,
  tls,
});
const ssh = (changes: object) => ({
  kind: "ssh",
  destination: { host: "build", user: undefined, port: undefined, socket: undefined, ...changes },
});

it.each<[string, TlsMaterial | undefined, object]>([
  ["unix:///run/docker.sock", TLS, { kind: "unix", path: "/run/docker.sock" }],
  ["tcp://build:1234", undefined, tcp("build", 1234)],
  ["tcp://build", undefined, tcp("build", 2375)],
  ["tcp://build", TLS, tcp("build", 2376, TLS)],
  ["tcp://[::1]:1234", undefined, tcp("::1", 1234)],
  ["build:1234", undefined, tcp("build", 1234)],
  ["http://build", TLS, tcp("build", 80)],
  ["https://build:1234", TLS, tcp("build", 1234, TLS)],
  ["https://build", undefined, tcp("build", 443, SYSTEM_TLS)],
  ["ssh://build", undefined, ssh({})],
  ["ssh://me@build:2222", TLS, ssh({ user: "me", port: 2222 })],
  [
    "ssh://build/run/user/1000/docker.sock",
    undefined,
    ssh({ socket: "/run/user/1000/docker.sock" }),
  ],
])("reads %s", (host, tls, route) => {
  expect(parseHost(host, tls, "--host").route).toEqual(route);
});

it.each([
  ["tcp://build", "tcp://build:2375"],
  ["build:1234", "tcp://build:1234"],
  ["tcp://[::1]:1234", "tcp://[::1]:1234"],
  ["unix:///run/docker.sock", "unix:///run/docker.sock"],
  ["ssh://me@build", "ssh://me@build"],
])("names %s as %s", (host, endpoint) => {
  expect(parseHost(host, undefined, "--host").endpoint).toBe(endpoint);
});

it.each([
  "npipe:////./pipe/docker_engine",
  "fd://",
  "unix://run/docker.sock",
  "unix://",
  "tcp://",
  "tcp://build:99999",
  "tcp://build:2375/prefix",
  "tcp://me@build:2375",
  "ssh://",
  "ssh://-oProxyCommand=x",
  "ssh://-l@build",
  "ssh://me:secret@build",
  "ssh://build/run/$(x).sock",
  "",
])("refuses %s as bad usage, with its source and a hint", (host) => {
  const error = expect.objectContaining({
    code: "bad-usage",
    message: expect.stringContaining("DOCKER_HOST"),
    hint: expect.stringMatching(/\w+/),
  });
  expect(() => parseHost(host, undefined, "DOCKER_HOST")).toThrow(error);
});

it("shows no password", () => {
  expect(() => parseHost("ssh://me:secret@build", undefined, "--host")).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("secret") }),
  );
});
