import { expect, it } from "vitest";
import { isOfPlatform } from "../../src/core/platform.ts";

it.each([
  ["linux/amd64", "linux/amd64", true],
  ["linux/amd64", "linux/x86_64", true],
  ["linux/amd64", "amd64", true],
  ["linux/amd64", "linux", true],
  ["linux/amd64", "linux/arm64", false],
  ["linux/amd64", "windows/amd64", false],
  ["linux/amd64", "windows", false],
  ["linux/arm64/v8", "linux/arm64", true],
  ["linux/arm64", "linux/arm64/v8", true],
  ["linux/arm64", "linux/aarch64", true],
  ["linux/arm/v7", "linux/armhf", true],
  ["linux/arm/v6", "linux/arm/v7", false],
  ["linux/arm/v6", "armhf", false],
  ["linux/arm/v7", "LINUX/ARM/V7", true],
])("an image of %s for %s: %s", (image, wanted, expected) => {
  expect(isOfPlatform(image, wanted)).toBe(expected);
});
