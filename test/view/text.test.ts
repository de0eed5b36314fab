import { expect, test } from "vitest";
import {
  formatDuration,
  formatElapsed,
  groupTitle,
  plural,
  printable,
} from "../../src/view/text.ts";

test.each([
  [0, "0s"],
  [59.9, "59s"],
  [60, "1m00s"],
  [65, "1m05s"],
  [3599, "59m59s"],
  [3600, "1h00m"],
  [47 * 3600 + 59 * 60, "47h59m"],
  [48 * 3600, "2d"],
])("%s seconds are %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.each([
  [3, "0.00s"],
  [123, "0.12s"],
  [12_340, "12.3s"],
])("%s ms are %s", (milliseconds, text) => {
  expect(formatElapsed(milliseconds)).toBe(text);
});

test("words that follow a number", () => {
  expect([0, 1, 2].map((count) => plural(count, "wave"))).toEqual(["0 waves", "1 wave", "2 waves"]);
});

test("a group outside the default namespace is named with it", () => {
  expect(groupTitle({ namespace: "default", name: "mailer" })).toBe("mailer");
  expect(groupTitle({ namespace: "shop", name: "mailer" })).toBe("shop/mailer");
});

test("foreign text becomes one harmless line", () => {
  expect(printable("a \r\n b\u001b[31m\tc\u009bd")).toBe("a b?[31m?c?d");
});
