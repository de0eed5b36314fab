// Every form of a field is read as Compose reads it: as the long form that Compose itself makes of it.

import { expect, test } from "vitest";
import rows from "../../fixtures/compose/forms.json" with { type: "json" };
import { manifest, specOf } from "./manifests.ts";

const written = rows.map(([text, service]) => [String(text), JSON.stringify(service)] as const);

test.each(written)("%s", async (text, service) => {
  // JSON is YAML.
  const longForm = service.slice(1, -1);
  const read = (await specOf(manifest(text))).template;
  expect(Object.keys(read)).not.toEqual(["image"]);
  expect(read).toEqual((await specOf(manifestOf(longForm))).template);
});

function manifestOf(members: string): string {
  const [head = "", tail = ""] = manifest("MEMBERS:").split(/ *image: .*\n *MEMBERS:/);
  return `${head}    {"image": "busybox:1.36", ${members}}${tail}`;
}
