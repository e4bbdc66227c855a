import type { LinkState } from "../../options/server-config.ts";

/** For tests. */
export const STEPS: LinkState = {
  name: "steps",
  title: "Steps",
  delayMs: 20,
  queuePackets: 300,
  queueBytes: null,
  lossRatio: 0,
  startedAtMs: 0,
  capacity: null,
};
