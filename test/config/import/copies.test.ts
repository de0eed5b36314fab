// Services that were made by copying: what becomes one group, with what in the place of the number, and what does not.

import { expect, test } from "vitest";
import { importText, problemLines, valueIn } from "./compose.ts";

/** Services by name, each with the lines of its fields in flow style. */
function compose(fields: Readonly<Record<string, string>>, rest = ""): string {
  const lines = Object.entries(fields).map(([name, one]) => `  ${name}: {${one}}\n`);
  return `services:\n${lines.join("")}${rest}`;
}

/** The same fields for numbered services, `#` being the number. */
function copies(name: string, numbers: readonly number[], fields: string, rest = ""): string {
  const all = numbers.map((number) => [
    name.replace("#", String(number)),
    fields.replaceAll("#", String(number)),
  ]);
  return compose(Object.fromEntries(all), rest);
}

test.each<[what: string, text: string, name: string, replicas: string, template: object]>([
  ["nothing at all", copies("w#", [1, 2, 3], "image: a"), "w", "3", {}],
  [
    "names and numbers in the environment",
    copies("w-#", [1, 2], 'image: a, environment: {ID: "#", NAME: worker-#, QUEUE: q1}'),
    "w",
    "2",
    { environment: { ID: "{{.Task.Slot}}", NAME: "worker-{{.Task.Slot}}", QUEUE: "q1" } },
  ],
  [
    "the number in a list, a command, a label and a hostname",
    copies(
      "w_#_x",
      [1, 2],
      "image: a, environment: [N=#], command: [run, --n=#], hostname: h#, labels: {n: '#'}",
    ),
    "w-x",
    "2",
    {
      environment: ["N={{.Task.Slot}}"],
      command: ["run", "--n={{.Task.Slot}}"],
      hostname: "h{{.Task.Slot}}",
      labels: { n: "{{.Task.Slot}}" },
    },
  ],
  [
    "folders and volumes",
    copies(
      "w#",
      [1, 2],
      "image: a, volumes: ['./d#:/d', 'v#:/v', {type: bind, source: /l/#, target: /l}]",
      "volumes: {v1: , v2: }",
    ),
    "w",
    "2",
    {
      volumes: [
        "./d{{.Task.Slot}}:/d",
        "shop_v{{.Task.Slot}}:/v",
        { type: "bind", source: "/l/{{.Task.Slot}}", target: "/l" },
      ],
    },
  ],
  [
    "host ports that count along",
    compose({
      w1: 'image: a, ports: ["127.0.0.1:5200:80", {target: 9, published: "7000"}]',
      w2: 'image: a, ports: ["127.0.0.1:5201:80", {target: 9, published: "7001"}]',
    }),
    "w",
    "2",
    { ports: ["127.0.0.1:5200-5201:80", { target: "9", published: "7000-7001" }] },
  ],
  [
    "host ports, counted from zero",
    compose({ n0: 'image: a, ports: ["5200:80/udp"]', n1: 'image: a, ports: ["5201:80/udp"]' }),
    "n",
    "2",
    { ports: ["5200-5201:80/udp"] },
  ],
  ["their containers' names", copies("w#", [2, 3], "image: a, container_name: c#"), "w", "2", {}],
  [
    "the order in which they were written",
    compose({ w2: "image: a, environment: [N=2]", w1: "image: a, environment: [N=1]" }),
    "w",
    "2",
    { environment: ["N={{.Task.Slot}}"] },
  ],
])("one group, differing in %s", (_, text, name, replicas, expected) => {
  const result = importText(text);
  const { image, networks, ...template } = Object(valueIn(result, "spec", "template"));
  expect({ image, networks }).toEqual({ image: "a", networks: { shop_default: {} } });
  expect(template).toEqual(expected);
  expect(valueIn(result, "spec", "replicas")).toBe(replicas);
  expect(valueIn(result, "metadata", "name")).toBe(name);
});

test.each<[text: string, why: string]>([
  [
    compose({
      w1: "image: a, environment: {P: 5200, W: 1}",
      w2: "image: a, environment: {P: 5201, W: 2}",
    }),
    'environment.P is "5200" in one and "5201" in another, and that number is not the slot',
  ],
  [
    compose({ w1: "image: a, environment: [P=5200]", w2: "image: a, environment: [P=5201]" }),
    'environment P is "5200" in one and "5201" in another, and that number is not the slot',
  ],
  [
    compose({ w1: "image: a, command: x", w2: "image: a, command: y" }),
    'command is "x" in one and "y" in another',
  ],
  [
    compose({ w1: "image: 'a:1'", w2: "image: 'a:2'" }),
    'image is "a:1" in one and "a:2" in another',
  ],
  [compose({ w1: "image: a", w2: "image: a, user: b" }), "user is not in all of them"],
  [
    compose({ w1: "image: a, environment: [A=1]", w2: "image: a, environment: {A: 2}" }),
    "environment has different forms",
  ],
  [
    compose({ w1: "image: a, dns: [1.1.1.1]", w2: "image: a, dns: [1.1.1.1, 8.8.8.8]" }),
    "dns has more items in one than in another",
  ],
  [copies("w#", [0, 1], "image: a, environment: [N=#]"), "that number is not the slot"],
  [copies("w#", [2, 3], "image: a, environment: [N=#]"), "that number is not the slot"],
  [copies("w0#", [1, 2], "image: a, environment: [N=0#]"), "that number is not the slot"],
  [copies("w#", [1, 3], "image: a"), "their numbers leave some out, and slots do not"],
  [copies("w#", [1, 2], "image: a, scale: 2"), "w1 has replicas of its own"],
  [copies("w#", [1, 2], "image: a, environment: ['K#=v']"), "that number is not the slot"],
  [
    copies("w#", [1, 2], "image: a, environment: {'K#': v}"),
    "environment.K2 is not in all of them",
  ],
  [copies("w#", [1, 2], "image: a, working_dir: /w/#"), "that number is not the slot"],
  [copies("w#", [1, 2], "image: a, volumes: ['./d:/d/#']"), "that number is not the slot"],
  [copies("w#", [1, 2], "image: a, environment: {A: '$V#'}"), '"$V1" in one and "$V2" in another'],
  [
    compose({ w1: 'image: a, ports: ["80:80"]', w2: 'image: a, ports: ["90:80"]' }),
    'ports[0] is "80:80" in one and "90:80" in another',
  ],
  [
    compose({ w1: 'image: a, ports: ["80:80"]', w2: 'image: a, ports: ["80:81"]' }),
    'ports[0] is "80:80" in one and "80:81" in another',
  ],
  [
    copies("w#", [1, 2], "image: a", "  hub: {image: h, environment: [N=http://w2:80/]}"),
    "hub speaks of w2 in environment, and a group has no name for each slot",
  ],
  [
    copies("w#", [1, 2], "image: a, command: join w1"),
    "w2 speaks of w1 in command, and a group has no name for each slot",
  ],
  [
    copies("w#", [1, 2], "image: a", "  w: {image: h}"),
    "the group w would have the name of another one",
  ],
])("kept apart: %s", (text, why) => {
  const result = importText(text, { services: services(text) });
  expect(problemLines(result)).toEqual([]);
  expect(result.groups.every((group) => group.services.length === 1)).toBe(true);
  expect(result.words.join("\n")).toContain(why);
});

/** All services but a hub. */
function services(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}(\w+):/gm)].flatMap(([, name = ""]) =>
    name === "hub" ? [] : [name],
  );
}

test("--no-group keeps them apart, with their own names on their networks", () => {
  const result = importText(copies("w#", [1, 2], "image: a"), { grouped: false });
  expect(result.groups.map(({ name }) => name)).toEqual(["w1", "w2"]);
  expect(result.groups[1]?.text).toContain("shop_default: {aliases: [w2]}");
});

test("of copies that were not named it is said that they are there", () => {
  const text = copies("w#", [1, 2, 3], "image: a");
  const { words, groups } = importText(text, { services: ["w1"] });
  expect(groups.map(({ name }) => name)).toEqual(["w1"]);
  expect(words).toContain(
    "w2 and w3 may be the same as w1: name them too, and they become one group if they are",
  );
});
