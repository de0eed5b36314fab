import { expect, it } from "vitest";
import { signalName } from "../../../src/engine/docker/signals.ts";

it.each([
  ["SIGTERM", "SIGTERM"],
  ["TERM", "SIGTERM"],
  ["sigquit", "SIGQUIT"],
  ["15", "SIGTERM"],
  ["1", "SIGHUP"],
  ["10", "SIGUSR1"],
  ["31", "SIGSYS"],
  ["34", "SIGRTMIN"],
  ["37", "SIGRTMIN+3"],
  ["49", "SIGRTMIN+15"],
  ["50", "SIGRTMAX-14"],
  ["64", "SIGRTMAX"],
  ["RTMIN+3", "SIGRTMIN+3"],
  ["32", "32"],
  ["999", "999"],
])("names signal %s as %s", (text, name) => {
  expect(signalName(text)).toBe(name);
});
