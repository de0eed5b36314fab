// What registries have said in this run, asked once for each image and shared by all groups that want it. Pulls nothing.

import { type ErrorCode, hasCode } from "../core/errors.ts";
import type { DesiredGroup, GroupSpec } from "../core/model.ts";
import type { RegistryWord } from "../core/observed.ts";
import { isKeptFresh } from "../core/plan/refresh.ts";
import { specDigest } from "../core/revision.ts";
import type { GroupStatus, StatusDocument } from "../core/status-types.ts";
import { fromIso } from "../core/time.ts";
import type { EngineReader, ImageFacts } from "../engine/engine.ts";
import type { Ended } from "./execute.ts";
import { type Rest, restAfter } from "./rest.ts";

/** What the registry answered: its digest, or that the pull since has brought whatever there was. */
type Answer = { readonly digest: string | "pulled" };

type Trouble = Rest & { readonly message: string };

/** The engine's images, by reference. */
type Images = Readonly<Record<string, ImageFacts | null>>;

/** What a look needs of the run and of this observation. */
export type Question = {
  readonly groups: readonly DesiredGroup[];
  readonly memory: StatusDocument | undefined;
  readonly images: Images;
  /** Engine time (ms). */
  readonly now: number;
};

/** A registry's trouble and an engine's refusal of it; an engine that is not there is no matter of images. */
const REGISTRY_TROUBLE: readonly ErrorCode[] = [
  "engine-denied",
  "engine-not-found",
  "engine-rejected",
  "engine-failed",
  "engine-timeout",
];

export class ImageWatch {
  readonly #ticks: () => number;
  readonly #answers = new Map<string, Answer>();
  readonly #troubles = new Map<string, Trouble>();
  /** Engine time of the answer, by reference. */
  readonly #asked = new Map<string, number>();
  /** Engine time of the latest look. */
  #lookedAt = 0;
  #settled: Readonly<Record<string, number>> = {};

  constructor(ticks: () => number) {
    this.#ticks = ticks;
  }

  /** Asks about images that are due, and answers with what is to be said of each. Throws `engine-unreachable`, `aborted`. */
  async look(
    reader: EngineReader,
    question: Question,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, RegistryWord>>> {
    this.#lookedAt = question.now;
    const due = dueImages(question).filter((each) => !this.#isKnown(each));
    await Promise.all(due.map((each) => this.#ask(reader, each, question.now, signal)));
    const words = Object.entries(question.images).flatMap(([reference, image]) => {
      const word = this.#wordOf(reference, image);
      return word === undefined ? [] : [[reference, word] as const];
    });
    const open = new Set(words.map(([reference]) => reference));
    this.#settled = Object.fromEntries([...this.#asked].filter(([each]) => !open.has(each)));
    return Object.fromEntries(words);
  }

  #isKnown(reference: string): boolean {
    return this.#answers.has(reference) || this.#isResting(reference);
  }

  #isResting(reference: string): boolean {
    return (this.#troubles.get(reference)?.until ?? 0) > this.#ticks();
  }

  async #ask(
    reader: EngineReader,
    reference: string,
    now: number,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      this.#answers.set(reference, { digest: await reader.findDigest(reference, signal) });
      this.#asked.set(reference, now);
      this.#troubles.delete(reference);
    } catch (error) {
      if (!hasCode(error, ...REGISTRY_TROUBLE)) throw error;
      // One that is silent has held up the whole run for a deadline: once is enough.
      this.#strike(reference, error, isHopeless(error.code) || error.code === "engine-timeout");
    }
  }

  #strike(reference: string, { message }: { readonly message: string }, isFinal: boolean): void {
    const rest = restAfter(this.#troubles.get(reference), isFinal, this.#ticks());
    this.#troubles.set(reference, { ...rest, message });
  }

  #wordOf(reference: string, image: ImageFacts | null): RegistryWord | undefined {
    const trouble = this.#troubles.get(reference);
    if (trouble !== undefined && this.#isResting(reference)) {
      return { kind: "failed", message: trouble.message };
    }
    const there = this.#answers.get(reference)?.digest ?? "pulled";
    if (image === null || there === "pulled" || image.digests.includes(there)) return undefined;
    return { kind: "moved", from: image.digests, to: there };
  }

  /** Takes in what became of pulls. */
  note(ended: readonly Ended[]): void {
    for (const { action, outcome } of ended) {
      if (action.kind !== "pull-image") continue;
      if (outcome.kind === "failed") {
        this.#strike(action.image, outcome, isHopeless(outcome.code));
      }
      if (outcome.kind === "done") this.#notePulled(action.image);
    }
  }

  /** Nothing newer can be had in this run, even where the image's digests do not show it: it is as good as asked for. */
  #notePulled(reference: string): void {
    this.#asked.set(reference, this.#lookedAt);
    this.#answers.set(reference, { digest: "pulled" });
    this.#troubles.delete(reference);
  }

  /** Whether this run has pulled an image. */
  wasPulled(reference: string): boolean {
    return this.#answers.get(reference)?.digest === "pulled";
  }

  /** Whether an image that is left in peace now will be tried again in this run. */
  willTryAgain(reference: string): boolean {
    return Number.isFinite(this.#troubles.get(reference)?.until ?? Number.POSITIVE_INFINITY);
  }

  /** Engine time (ms) of the answer for each image that is as its registry has it, by reference. */
  get settled(): Readonly<Record<string, number>> {
    return this.#settled;
  }
}

/** The registry's no stays the same until somebody acts. */
function isHopeless(code: string): boolean {
  return ["engine-denied", "engine-not-found", "engine-rejected"].includes(code);
}

/** References that are on the engine and whose time to be asked about has come. */
function dueImages({ groups, memory, images, now }: Question): readonly string[] {
  const records = new Map(memory?.groups.map((each) => [each.uid, each]));
  const due = groups.flatMap((group) => {
    if (group.kind !== "valid" || !isWanted(group)) return [];
    const { image } = group.spec.template;
    const isHere = (images[image] ?? null) !== null;
    return isHere && isDue(group, records.get(group.identity.uid), now) ? [image] : [];
  });
  return [...new Set(due)].sort();
}

type Valid = DesiredGroup & { readonly kind: "valid" };

function isWanted({ spec, deletionTimestamp }: Valid): boolean {
  if (deletionTimestamp !== undefined || spec.suspend || spec.replicas === 0) return false;
  return isKeptFresh(spec) && canMove(spec);
}

/** A digest and an image id mean the same for ever. */
function canMove({ template: { image } }: GroupSpec): boolean {
  return !image.includes("@") && !/^sha256:[0-9a-f]{64}$/.test(image);
}

/** What was remembered of another spec may speak of another image. */
function isDue(group: Valid, record: GroupStatus | undefined, now: number): boolean {
  const { pullPolicy } = group.spec;
  if (typeof pullPolicy === "string") return true;
  if (record?.spec !== (group.specDigest ?? specDigest(group.spec))) return true;
  const at = record.imageCheckedAt === undefined ? undefined : fromIso(record.imageCheckedAt);
  return at === undefined || at > now || now - at >= pullPolicy.seconds * 1000;
}
