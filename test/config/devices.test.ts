// Devices of the host and those that a driver picks: forms, placeholders, ranges of ids.

import { expect, test } from "vitest";
import { expandTemplate } from "../../src/core/placeholders.ts";
import { manifest, specOf } from "./manifests.ts";
import { refusals } from "./refusals.ts";

const fuse = { source: "/dev/fuse", target: "/dev/fuse", permissions: "rwm" };
const allGpus = { count: -1, capabilities: ["gpu"] };
const reserved = (devices: string) => `deploy: {resources: {reservations: {devices: ${devices}}}}`;

test.each<readonly [string, object]>([
  ["devices: [/dev/fuse]", { devices: [fuse] }],
  ["devices: [{source: /dev/fuse}]", { devices: [fuse] }],
  [
    "devices: ['/dev/a:/dev/b:mr', {source: /dev/c, target: /dev/d, permissions: wr}]",
    {
      devices: [
        { source: "/dev/a", target: "/dev/b", permissions: "rm" },
        { source: "/dev/c", target: "/dev/d", permissions: "rw" },
      ],
    },
  ],
  [
    "devices: ['/dev/ttyUSB{{.Task.Slot}}:/dev/tty']",
    {
      devices: [{ source: "/dev/ttyUSB{{.Task.Slot}}", target: "/dev/tty", permissions: "rwm" }],
    },
  ],
  [
    "devices: [/dev/fuse, vendor.com/gpu=0, 'vendor.com/net=eth0:1']",
    {
      devices: [fuse],
      device_requests: [
        {
          driver: "cdi",
          device_ids: ["vendor.com/gpu=0", "vendor.com/net=eth0:1"],
          capabilities: [],
        },
      ],
    },
  ],
  ["devices: []\ngpus: []", {}],
  ["gpus: all", { device_requests: [allGpus] }],
  ["gpus: [{}]", { device_requests: [allGpus] }],
  ["gpus: [{count: All}]", { device_requests: [allGpus] }],
  ["gpus: [{count: -1}]", { device_requests: [allGpus] }],
  [
    "gpus: [{driver: nvidia, count: 2, capabilities: [utility, gpu, compute], options: [a=b, c]}]",
    {
      device_requests: [
        {
          driver: "nvidia",
          count: 2,
          capabilities: ["compute", "gpu", "utility"],
          options: { a: "b", c: "" },
        },
      ],
    },
  ],
  [
    "gpus: [{device_ids: [0, GPU-3a23c669-1f69-c64e-cf85-44e9b07e7a2a, 0]}]",
    {
      device_requests: [
        {
          device_ids: ["0", "GPU-3a23c669-1f69-c64e-cf85-44e9b07e7a2a"],
          capabilities: ["gpu"],
        },
      ],
    },
  ],
  [
    "gpus: [{device_ids: ['03-003']}]",
    { device_requests: [{ device_ids: ["3"], capabilities: ["gpu"] }] },
  ],
  [
    `${reserved("[{capabilities: [tpu]}]")}\ngpus: all`,
    { device_requests: [{ count: -1, capabilities: ["tpu"] }, allGpus] },
  ],
])("%s", async (yaml, expected) => {
  expect((await specOf(manifest(yaml))).template).toEqual({ image: "busybox:1.36", ...expected });
});

test.each<readonly [string, ...string[]]>([
  [
    "devices: [dev/a, '/dev/a:b', '/dev/a:rw', '/dev/a:/b:x', '/dev/a:/b:rr', '/a:/b:r:w', '']",
    'devices[0]: "dev/a" has no absolute path on the host (write the path of the device, /dev/...)',
    'devices[1]: "/dev/a:b" has no absolute path in the container (write the target as /dev/...)',
    'devices[2]: "/dev/a:rw" has permissions and no target (write it as /dev/a:/dev/a:rw)',
    'devices[3]: "/dev/a:/b:x" has no such permissions (write r (read), w (write) and m (make nodes), each once)',
    'devices[4]: "/dev/a:/b:rr" has no such permissions (write r (read), w (write) and m (make nodes), each once)',
    'devices[5]: "/a:/b:r:w" is no device (write it as /dev/source:/dev/target:rwm)',
    'devices[6]: "" has no absolute path on the host (write the path of the device, /dev/...)',
  ],
  [
    "devices: ['/dev/a{{.Task.Slot}}', {source: '/dev/b{{.Task.Slot}}'}, '/dev/c:/dev/c{{.Task.ID}}']",
    'devices[0]: "/dev/a{{.Task.Slot}}" has a placeholder in its target (give the target a path of its own after a colon)',
    "devices[1]: a device with a placeholder needs a target (write target: /dev/...)",
    'devices[2]: "/dev/c:/dev/c{{.Task.ID}}" has a placeholder in its target (give the target a path of its own after a colon)',
  ],
  [
    "devices: ['/dev/{{.Task.Slt}}:/dev/a', {source: /dev/b, target: '/{{.Task.Slot}}'}]",
    'devices[0]: no placeholder "{{.Task.Slt}}" (did you mean {{.Task.Slot}}?)',
    "devices[1].target: no placeholder is filled in here (they work in environment, command, entrypoint, hostname, " +
      "labels, sources of volumes and devices, host ports and device_ids)",
  ],
  [
    "devices: [/dev/a, '/dev/b:/dev/a', {sorce: /dev/c}]",
    "devices[1]: a second device at /dev/a (keep one)",
    'devices[2].sorce: unknown field "sorce" (did you mean "source"?)',
  ],
  [
    "gpus: [{count: 2, device_ids: ['0']}, {count: 0}, {device_ids: []}, {device_ids: ['', 3-0]}]",
    "gpus[0].count: count together with device_ids (keep one of them)",
    'gpus[1].count: "0" is no count of devices (write a number, or all)',
    "gpus[2].device_ids: device_ids is empty (name a device, or take it out)",
    'gpus[3].device_ids[0]: "" is no id of a device (write it as the driver shows it, such as 0 or GPU-...)',
    'gpus[3].device_ids[1]: "3-0" ends before it begins (write 0-3)',
  ],
  ["gpus: some", 'gpus: "some" is not known here (write all)'],
  [
    reserved("[{count: 1}, {capabilities: []}, {capabilities: [gpu], counts: 1}]"),
    "deploy.resources.reservations.devices[0].capabilities: capabilities is missing (-)",
    "deploy.resources.reservations.devices[1].capabilities: no capability that a driver could be found by (write [gpu])",
    'deploy.resources.reservations.devices[2].counts: unknown field "counts" (did you mean "count"?)',
  ],
])("%s is refused", async (yaml, ...expected) => {
  expect(await refusals(yaml)).toEqual(expected);
});

const ids = (...list: string[]) => `gpus: [{device_ids: ${JSON.stringify(list)}}]`;

test.each<readonly [string, string, readonly string[]]>([
  ["a range as long as there are workers", "replicas: 4", []],
  ["a longer one", "replicas: 2", []],
  ["none at all", "replicas: 0", []],
  ["with a surge", "replicas: 4\nrollout: {maxSurge: 1}", []],
  [
    "a shorter one",
    "replicas: 6",
    [
      "gpus[0].device_ids[0]: 4 devices (0-3) for 6 workers (widen the range to 0-5, or name one device)",
    ],
  ],
])("a range of ids: %s", async (_, spec, expected) => {
  expect(await refusals(ids("0-3"), spec)).toEqual(expected);
});

test("every list of ids is looked into, and one device may be for all", async () => {
  expect(
    await refusals(
      `${ids("0", "4-5")}\n${reserved("[{capabilities: [gpu], device_ids: [7-7, 2-3]}]")}`,
      "replicas: 3",
    ),
  ).toEqual([
    "gpus[0].device_ids[1]: 2 devices (4-5) for 3 workers (widen the range to 4-6, or name one device)",
    "deploy.resources.reservations.devices[0].device_ids[1]: 2 devices (2-3) for 3 workers (widen the range to 2-4, or name one device)",
  ]);
});

test("each worker has the device of its slot", async () => {
  const yaml = `${ids("0-3", "GPU-{{.Task.Slot}}", "9")}\ndevices: ['/dev/tty{{.Task.Slot}}:/dev/tty']`;
  const { template } = await specOf(manifest(yaml, { spec: "replicas: 4" }));
  const inSlot = (slot: number) =>
    expandTemplate(template, { slot, group: "a", uid: "u", taskId: "t", workerName: "w" });
  expect(inSlot(1).device_requests?.[0]?.device_ids).toEqual(["0", "GPU-1", "9"]);
  expect(inSlot(4).device_requests?.[0]?.device_ids).toEqual(["3", "GPU-4", "9"]);
  expect(inSlot(4).devices?.[0]?.source).toBe("/dev/tty4");
});
