// What each short form means, one row a text, and which texts mean nothing.

import { expect, test } from "vitest";
import {
  readDnsLabel,
  readImage,
  readRestart,
  readSignal,
  readTimestamp,
  readUid,
} from "../../../src/config/forms/names.ts";
import {
  readAmount,
  readBoolean,
  readBytes,
  readCpus,
  readDuration,
  readGrace,
  readInteger,
  readInterval,
  readMemory,
} from "../../../src/config/forms/numbers.ts";
import { readPorts } from "../../../src/config/forms/ports.ts";
import type { Reading } from "../../../src/config/forms/reading.ts";
import { readMount } from "../../../src/config/forms/volumes.ts";

const readReplicas = (text: string) => readInteger(text, 0, 10_000);
const readName = (text: string) => readDnsLabel(text, 40);

type Row = readonly [(text: string) => Reading<unknown>, string, unknown];

test.each<Row>([
  [readReplicas, "0", 0],
  [readReplicas, "10000", 10_000],
  [readBoolean, "true", true],
  [readCpus, "0.50", 0.5],
  [readCpus, ".5", 0.5],
  [readCpus, "2", 2],
  [readBytes, "1024", 1024],
  [readBytes, "256M", 256 * 1024 ** 2],
  [readBytes, "1g", 1024 ** 3],
  [readBytes, "512kb", 512 * 1024],
  [readBytes, "1.5GiB", 1.5 * 1024 ** 3],
  [readBytes, "10b", 10],
  [readBytes, "2 M", 2 * 1024 ** 2],
  [readMemory, "6M", 6 * 1024 ** 2],
  [readDuration, "90s", 90],
  [readDuration, "1m30s", 90],
  [readDuration, "1.5s", 1.5],
  [readDuration, "500ms", 0.5],
  [readDuration, "1h5m30s20ms", 3930.02],
  [readDuration, "2d", 172_800],
  [readDuration, "0", 0],
  [readInterval, "1ms", 0.001],
  [readGrace, "1.2s", 2],
  [readAmount, "0", { kind: "count", count: 0 }],
  [readAmount, "25%", { kind: "percent", percent: 25 }],
  [readName, "mailer-2", "mailer-2"],
  [readUid, "01998F6E-5C1B-7D2A-9A53-0C9F6F1F2A11", "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11"],
  [readTimestamp, "2026-11-29T12:00:00Z", "2026-11-29T12:00:00Z"],
  [readTimestamp, "2028-02-29T12:00:00.5+01:00", "2028-02-29T12:00:00.5+01:00"],
  [readImage, "busybox", "busybox"],
  [readImage, "busybox:1.36", "busybox:1.36"],
  [readImage, "ghcr.io/acme/mailer:1.4.2", "ghcr.io/acme/mailer:1.4.2"],
  [readImage, "localhost:5000/a/b__c-d.e:X_1", "localhost:5000/a/b__c-d.e:X_1"],
  [readImage, `a@sha256:${"0".repeat(64)}`, `a@sha256:${"0".repeat(64)}`],
  [readImage, `sha256:${"0".repeat(64)}`, `sha256:${"0".repeat(64)}`],
  [readSignal, "TERM", "SIGTERM"],
  [readSignal, "sigusr2", "SIGUSR2"],
  [readSignal, "15", "SIGTERM"],
  [readSignal, "RTMIN+3", "SIGRTMIN+3"],
  [readRestart, "no", "no"],
  [readRestart, "unless-stopped", "unless-stopped"],
  [readRestart, "on-failure:3", "on-failure:3"],
  [readRestart, "on-failure:0", "on-failure"],
  [readPorts, "80", [{ target: 80, protocol: "tcp" }]],
  [readPorts, "8080:80", [{ target: 80, published: "8080", protocol: "tcp" }]],
  [
    readPorts,
    "127.0.0.1:8080:80/udp",
    [{ target: 80, published: "8080", protocol: "udp", host_ip: "127.0.0.1" }],
  ],
  [
    readPorts,
    "[::1]:8080:80",
    [{ target: 80, published: "8080", protocol: "tcp", host_ip: "::1" }],
  ],
  [readPorts, "127.0.0.1::80", [{ target: 80, protocol: "tcp", host_ip: "127.0.0.1" }]],
  [
    readPorts,
    "52{{.Task.Slot}}:80",
    [{ target: 80, published: "52{{.Task.Slot}}", protocol: "tcp" }],
  ],
  [readPorts, "5200-5209:80", [{ target: 80, published: "5200-5209", protocol: "tcp" }]],
  [
    readPorts,
    "5200-5201:80-81/udp",
    [
      { target: 80, published: "5200", protocol: "udp" },
      { target: 81, published: "5201", protocol: "udp" },
    ],
  ],
  [
    readPorts,
    "80-81",
    [
      { target: 80, protocol: "tcp" },
      { target: 81, protocol: "tcp" },
    ],
  ],
  [
    readMount,
    "./a:/b:z,ro",
    { type: "bind", source: "./a", target: "/b", read_only: true, selinux: "z" },
  ],
  [readMount, "/data", { type: "volume", target: "/data" }],
  [readMount, "data:/data", { type: "volume", source: "data", target: "/data" }],
  [readMount, "./a:/b:ro", { type: "bind", source: "./a", target: "/b", read_only: true }],
  [readMount, "~/a:/b:rw", { type: "bind", source: "~/a", target: "/b" }],
  [readMount, "/a:/b//c/", { type: "bind", source: "/a", target: "/b/c" }],
  [
    readMount,
    "data-{{.Task.Slot}}:/data",
    { type: "volume", source: "data-{{.Task.Slot}}", target: "/data" },
  ],
  [
    readMount,
    "{{.Service.Name}}:/data",
    { type: "volume", source: "{{.Service.Name}}", target: "/data" },
  ],
])("%o reads %j", (read, text, value) => {
  expect(read(text)).toEqual({ ok: true, value });
});

test.each<readonly [Row[0], readonly string[]]>([
  [readReplicas, ["", "-1", "10001", "1.0", "1e3", "0x10", "010", "1_000", " 1"]],
  [readBoolean, ["True", "yes", "on", "1", ""]],
  [readCpus, ["", "0", "0.001", "-1", "1e2", "half"]],
  [readBytes, ["", "1x", "M", "-1", "1.2.3g", "1 000", "5ib", "99999999p"]],
  [readMemory, ["0", "5M"]],
  [readDuration, ["", "90", "1 s", "-5s", "s", "1m 30s", "1y"]],
  [readInterval, ["0s", "10us"]],
  [readAmount, ["", "-1", "101%", "1.5", "25 %", "10001", "%"]],
  [readName, ["", "-a", "a-", "A", "a_b", "a.b", "a".repeat(41)]],
  [
    readUid,
    ["", "1234", "01998f6e5c1b7d2a9a530c9f6f1f2a11", "g1998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11"],
  ],
  [readTimestamp, ["", "2026-11-29", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "tomorrow"]],
  [readImage, ["", "Acme", "a b", "a:", ":1", "a//b", "http://a/b", "a:b:c", "-a"]],
  [readSignal, ["", "0", "32", "SIGTREM", "RTMIN+16", "SIG"]],
  [readRestart, ["", "on-fail", "on-failure:", "on-failure:-1", "false"]],
  [
    readPorts,
    [
      "",
      "5209-5200:80",
      "1-2:80-82",
      "80-90:1-2-3",
      "0-9:80",
      ":80",
      "0",
      "65536",
      "80:0",
      "80/icmp",
      "300.0.0.1:80:80",
      "a:80",
      "1:2:3:4",
      "::1:80:80",
    ],
  ],
  [
    readMount,
    ["", "data", "a:b", "./a:/b:rx", "a:/b:ro:z", "d/e:/f", "./a:/", "x:/y", "v:/a{{.Task.Slot}}"],
  ],
])("%o refuses %j", (read, texts) => {
  expect(texts.filter((text) => read(text).ok)).toEqual([]);
});
