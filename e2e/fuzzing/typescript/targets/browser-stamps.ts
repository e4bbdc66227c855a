import { makeReceiver } from "../../../../cc/receiver/registry.ts";
import { decodeFeedback, encodeFeedback } from "../../../../player/src/session/wire/feedback.ts";
import { MalformedMessage } from "../../../../player/src/session/wire/malformed-message.ts";
import { decodeStamp } from "../../../../player/src/session/wire/stamp.ts";
import { SchemeInMs } from "../../../../player/src/session/worker/scheme-in-ms.ts";
import { damagedBytes, vectors } from "../inputs.ts";
import type { NodeTarget } from "../target.ts";

const SCHEMES = ["nuwa", "nuwa-rl", "kuafu", "drwa", "cubic"];
const PARAMETERS = {
  targetDelaySeconds: 0.04,
  rhoSeconds: 0.02,
  k: 7,
  catchesUp: true,
  followsNeed: false,
  asInPaper: false,
};
let opened = 0;

/** Stamps that anybody wrote, to the page's receiver, whose feedback has to be sound. */
export const browserStamps: NodeTarget = {
  name: "browser-stamps",
  inputs: damagedBytes(vectors("stamps")),
  inputsEach: 300,
  open() {
    const name = SCHEMES[opened++ % SCHEMES.length] as string;
    const scheme = new SchemeInMs(makeReceiver(name, PARAMETERS));
    let nowMs = 1000;
    return {
      feed(data) {
        nowMs += (data[7] ?? 0) / 10;
        const stamp = readStamp(data);
        if (stamp === null) return false;
        scheme.onStamp(stamp, nowMs, data[6] ?? 0);
        const feedback = scheme.feedback(nowMs);
        if (feedback !== null) decodeFeedback(encodeFeedback(feedback));
        return true;
      },
    };
  },
};

function readStamp(data: Uint8Array) {
  try {
    return decodeStamp(data);
  } catch (error) {
    if (error instanceof MalformedMessage) return null;
    throw error;
  }
}
