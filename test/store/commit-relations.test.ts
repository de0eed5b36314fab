// How one commit stands to another, asked of real repositories.

import { expect, it } from "vitest";
import { type CommitRelation, relateCommits } from "../../src/store/git.ts";
import { Checkout } from "../support/checkout.ts";

async function relation(folder: string, other: string): Promise<CommitRelation | undefined> {
  return (await relateCommits(folder, [other]))[other];
}

/** Three commits in a row; the checkout stands at the second. */
function line() {
  const checkout = Checkout.make();
  const [first, second, third] = ["one", "two", "three"].map((each) => checkout.commit(each));
  checkout.git("checkout", "-q", String(second));
  return { checkout, first: String(first), second: String(second), third: String(third) };
}

it("tells older from newer, whether the other tree was dirty or not", async () => {
  const { checkout, first, second, third } = line();
  const others = [first, `${first}-dirty`, second, `${second}-dirty`, third, `${third}-dirty`];
  expect(Object.values(await relateCommits(checkout.folder, others))).toEqual([
    "newer",
    "newer",
    "same",
    "same",
    "older",
    "older",
  ]);
});

it("a dirty tree of our own counts as its commit", async () => {
  const { checkout, second, third } = line();
  checkout.git("rm", "-q", "CHANGES");
  expect(await relation(checkout.folder, second)).toBe("same");
  expect(await relation(checkout.folder, third)).toBe("older");
});

it("branches that went apart have diverged, and a merge is newer than both", async () => {
  const { checkout, third } = line();
  checkout.git("checkout", "-q", "-b", "side");
  const side = checkout.commit("side");
  expect(await relation(checkout.folder, third)).toBe("diverged");
  checkout.git("merge", "-q", "-s", "ours", "-m", "both", third);
  expect(await relation(checkout.folder, third)).toBe("newer");
  expect(await relation(checkout.folder, side)).toBe("newer");
});

it("a commit that was not fetched is unknown until it is", async () => {
  const { checkout } = line();
  checkout.git("checkout", "-q", "main");
  const stale = checkout.clone();
  const fresh = checkout.commit("four");
  expect(await relation(stale.folder, fresh)).toBe("unknown");
  stale.git("fetch", "-q");
  expect(await relation(stale.folder, fresh)).toBe("older");
});

it("a clone of depth 1 knows nothing of what came before, nor of branches", async () => {
  const { checkout, second } = line();
  checkout.git("checkout", "-q", "-b", "side", second);
  const side = checkout.commit("side");
  const shallow = checkout.clone("--depth", "1", "--no-single-branch");
  expect(await relation(shallow.folder, second)).toBe("unknown");
  // Both ends are there, and where they part is not.
  expect(await relation(shallow.folder, checkout.git("rev-parse", "main"))).toBe("unknown");
  expect(await relation(shallow.folder, side)).toBe("same");
});

it.each([
  ["outside a repository", () => ({ folder: "/", other: "a".repeat(40) })],
  ["before the first commit", () => ({ folder: Checkout.make().folder, other: "a".repeat(40) })],
  ["in a folder that is not there", () => ({ folder: "/nowhere", other: "a".repeat(40) })],
  ["of what is no commit", () => ({ folder: line().checkout.folder, other: "--help" })],
  ["of an unfinished hash", () => ({ folder: line().checkout.folder, other: "a".repeat(12) })],
])("nothing is known %s", async (_, make) => {
  const { folder, other } = make();
  expect(await relation(folder, other)).toBe("unknown");
});
