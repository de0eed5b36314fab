// Gives a file of real-engine tests an engine to itself: vitest numbers the files that run at the same time from 1.

import { inject } from "vitest";

const place = process.env["VITEST_POOL_ID"];
const engine = inject("engines")[Number(place) - 1];
if (engine === undefined) throw new Error(`no engine was started for place ${place}`);
process.env["WGCTL_TEST_HOST"] = engine.host;
process.env["WGCTL_TEST_NETNS"] = engine.netns;
