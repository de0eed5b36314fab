// Real Git repositories in temporary folders, removed with the test that made them.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export class Checkout {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** A new repository without a commit. */
  static make(): Checkout {
    const made = new Checkout(temporaryFolder());
    made.git("init", "-q", "-b", "main");
    return made;
  }

  /** A repository of what a folder holds, with one commit. */
  static in(folder: string): Checkout {
    const made = new Checkout(folder);
    made.git("init", "-q", "-b", "main");
    made.commit("one");
    return made;
  }

  /** A clone of this one as it is now; options as `git clone` takes them. */
  clone(...options: readonly string[]): Checkout {
    const copy = new Checkout(temporaryFolder());
    // Only a URL makes git honour --depth for a repository on this disk.
    copy.git("clone", "-q", ...options, `file://${this.folder}`, ".");
    return copy;
  }

  git(...words: readonly string[]): string {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    const all = [...identity, ...words];
    const options = { cwd: this.folder, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", all, options).trim();
  }

  /** Commits everything, and something of its own; answers with the hash. */
  commit(message: string): string {
    writeFileSync(join(this.folder, "CHANGES"), message);
    this.git("add", "-A");
    this.git("commit", "-q", "-m", message);
    return this.git("rev-parse", "HEAD");
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-checkout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
