// Who holds a lock or lease, in the holder's own words; read by others, who trust nothing in it.

/** What a holder tells of itself. */
export type HolderFacts = {
  readonly pid: number;
  readonly user: string;
  readonly host: string;
  readonly command: string;
  /** ISO 8601, by the holder's clock. */
  readonly startedAt: string;
};

/** The facts as one line of text. */
export function encodeHolder(facts: HolderFacts): string {
  return JSON.stringify(facts);
}

/** What `encodeHolder` wrote as a phrase for a person; undefined for anything else. */
export function describeHolder(line: string): string | undefined {
  try {
    const found = new Map<string, unknown>(Object.entries(JSON.parse(line)));
    const show = (key: keyof HolderFacts) => printable(found.get(key));
    return `pid ${show("pid")} (${show("user")}@${show("host")}, since ${show("startedAt")}): ${show("command")}`;
  } catch {
    return undefined;
  }
}

function printable(value: unknown): string {
  return String(value ?? "?").replace(/\p{Cc}/gu, "?");
}
