// Every key that Compose's own schema gives a service is known: it is taken, or it is refused with what to do instead.

import { expect, test } from "vitest";
import {
  bindStrangers,
  deployStrangers,
  healthStrangers,
  limitStrangers,
  mountStrangers,
  networkStrangers,
  reservationStrangers,
  templateStrangers,
  volumeOptionStrangers,
} from "../../src/config/schema/strangers.ts";
import { templateFieldNames } from "../../src/config/schema/template.ts";
import { serviceKeys } from "./compose-page.ts";
import { refusals } from "./refusals.ts";

test("there are as many keys as in Compose, each once", () => {
  expect(new Set(serviceKeys).size).toBe(93);
});

test("every key is either taken or refused, and none is both", () => {
  const { refused = {}, later = {} } = templateStrangers;
  const known = [...templateFieldNames, ...Object.keys(refused), ...Object.keys(later)];
  expect(known.toSorted()).toEqual(serviceKeys.toSorted());
});

const strangers = {
  template: templateStrangers,
  deploy: deployStrangers,
  reservations: reservationStrangers,
  limits: limitStrangers,
  healthcheck: healthStrangers,
  volumes: mountStrangers,
  bind: bindStrangers,
  volume: volumeOptionStrangers,
  networks: networkStrangers,
};

test.each(Object.entries(strangers))(
  "what is said of keys in %s is a sentence",
  (_, { refused, later }) => {
    for (const [key, text] of Object.entries({ ...refused, ...later }))
      expect([key, text]).toEqual([key, expect.stringMatching(/^[a-z`].{9,100}[^.]$/)]);
  },
);

test.each(Object.keys({ ...templateStrangers.refused, ...templateStrangers.later }))(
  "%s is refused with a way out",
  async (key) => {
    const [said, ...more] = await refusals(`${key}: null`);
    expect(more).toEqual([]);
    expect(said).toMatch(
      new RegExp(`^${key}: ${key} is not (for workers|supported by this version) \\([^-]`),
    );
  },
);

test.each([
  ["deploy: {resources: {reservations: {generic_resources: []}}}", "generic_resources"],
  ["deploy: {placement: {}}", "placement"],
  ["healthcheck: {start_interval: 1s}", "start_interval"],
  ["volumes: [{type: volume, source: data, target: /a, volume: {labels: {a: b}}}]", "labels"],
  ["image: a\nvolumes: [{type: volume, source: data, target: /a, image: {}}]", "image"],
  ["networks: {shop: {gw_priority: 1}}", "gw_priority"],
  ["networks: {shop: {link_local_ips: [a]}}", "link_local_ips"],
])("%s names %s and what to do", async (template, key) => {
  const [said] = await refusals(template);
  expect(said).toContain(`${key} is not `);
  expect(said).not.toContain("(-)");
});
