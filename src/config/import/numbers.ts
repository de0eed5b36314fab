// Numbers as Compose reads them where it wants texts: `0644` in an environment is 420 to it, and to us what stands there.

import {
  type Fields,
  fieldsOf,
  mapScalars,
  type TextValue,
  textFrom,
  type Value,
} from "./value.ts";

/** Fields that map names to texts, which YAML may have read as something else before. */
const TEXTS = ["environment", "labels", "annotations", "sysctls"];

/** The fields of a service with the texts that Compose makes of numbers and truth values. */
export function asComposeReads(fields: Fields): Fields {
  const read = new Map(fields);
  for (const name of TEXTS) {
    const value = fields.get(name);
    if (value?.kind === "map") read.set(name, readTexts(value));
  }
  const logging = fields.get("logging");
  const options = fieldsOf(logging).get("options");
  if (logging?.kind === "map" && options?.kind === "map")
    read.set("logging", {
      ...logging,
      entries: new Map([...logging.entries, ["options", readTexts(options)]]),
    });
  return read;
}

function readTexts(value: Value): Value {
  return mapScalars(value, [], (one) => (one.kind === "text" ? readText(one) : one));
}

function readText(value: TextValue): Value {
  if (value.style !== "plain") return value;
  const text = composeText(value.text);
  if (text === value.text || isCalledText(value)) return value;
  return { ...textFrom(value.origin, text, "double"), written: value.text };
}

/** `!!str 0644` */
function isCalledText({ origin: { source, span } }: TextValue): boolean {
  return /!!str\s*$/.test(source.text.slice(Math.max(0, span.start - 20), span.start));
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ True: "true", TRUE: "true", False: "false", FALSE: "false" },
  ...{ ".inf": "+Inf", ".Inf": "+Inf", ".INF": "+Inf", "+.inf": "+Inf", "-.inf": "-Inf" },
  ...{ ".nan": "NaN", ".NaN": "NaN", ".NAN": "NaN" },
};

const WHOLE = /^([-+]?)(0x[\da-f]+|0b[01]+|0o[0-7]+|0[0-7]*|[1-9]\d*)$/i;
const FRACTION = /^[-+]?(\.\d+|\d+(\.\d*)?)(e[-+]?\d+)?$/i;
const LARGEST = 2n ** 64n - 1n;
const SMALLEST = -(2n ** 63n);

/** A plain text of YAML as Compose prints what it has read from it. */
export function composeText(text: string): string {
  if (!/^[-+.\d]/.test(text)) return WORDS[text] ?? text;
  const plain = text.replaceAll("_", "");
  const [, sign, digits] = WHOLE.exec(plain) ?? [];
  if (digits !== undefined) {
    const amount = BigInt(digits.replace(/^0(?=[0-7])/, "0o"));
    const whole = sign === "-" ? -amount : amount;
    if (whole >= SMALLEST && whole <= LARGEST) return String(whole);
  }
  const fraction = FRACTION.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(fraction) ? fractionText(fraction) : (WORDS[text] ?? text);
}

/** With an exponent of two digits where it is below -4 or above 20. */
function fractionText(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  if (Number(exponent) >= -4 && Number(exponent) <= 20) return String(value);
  return `${digits}e${exponent.replace(/\d+/, (one) => one.padStart(2, "0"))}`;
}

/** What is to be said of a field where Compose reads other texts than stand in the file; undefined: nothing. */
export function readingWords(value: Value): string | undefined {
  const others = namedTexts(value).flatMap(([name, { text, written }]) =>
    written === undefined ? [] : [`${name} is ${text}, not ${written}`],
  );
  return others.length === 0 ? undefined : `as Compose reads it: ${others.join(", ")}`;
}

/** The texts of a mapping, or of a list of `NAME=value`, by name. */
function namedTexts(value: Value): readonly (readonly [string, TextValue])[] {
  if (value.kind === "map")
    return [...value.entries].flatMap(([name, one]) =>
      one.kind === "text" ? [[name, one] as const] : [],
    );
  return value.kind !== "list"
    ? []
    : value.items.flatMap((one): readonly (readonly [string, TextValue])[] => {
        if (one.kind !== "text") return [];
        const [name = "", ...text] = one.text.split("=");
        return [[name, { ...one, text: text.join("=") }]];
      });
}
