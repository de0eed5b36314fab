import { expect, it } from "vitest";
import { isOfPlatform } from "../../src/core/platform.ts";

it.each([
  ["linux/amd64", "linux/amd64", true],
  ["linux/amd64", "linux", true],
  ["linux/amd64", "linux/arm64", false],
  ["linux/amd64", "windows/amd64", false],
  ["linux/amd64", "windows", false],
  ["linux/arm64/v8", "linux/arm64", true],
  ["linux/arm", "linux/arm/v7", true],
  ["linux/arm/v6", "linux/arm/v7", false],
])("an image of %s for %s: %s", (image, wanted, expected) => {
  expect(isOfPlatform(image, wanted)).toBe(expected);
});
