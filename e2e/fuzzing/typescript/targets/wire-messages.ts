import { decodeFeedback, encodeFeedback } from "../../../../player/src/session/wire/feedback.ts";
import {
  decodePing,
  decodePong,
  encodePing,
  encodePong,
} from "../../../../player/src/session/wire/heartbeat.ts";
import { MalformedMessage } from "../../../../player/src/session/wire/malformed-message.ts";
import { decodeStamp, encodeStamp } from "../../../../player/src/session/wire/stamp.ts";
import { damagedBytes, vectors } from "../inputs.ts";
import { type NodeTarget, parser } from "../target.ts";

const CODECS: readonly ((data: Uint8Array) => Uint8Array)[] = [
  (data) => encodeStamp(decodeStamp(data)),
  (data) => encodeFeedback(decodeFeedback(data)),
  (data) => encodePing(decodePing(data).sequence),
  (data) => encodePong(decodePong(data).sequence),
];

/** All messages of the wire, through the codec that their first byte chooses, there and back twice. */
export const wireMessages: NodeTarget = {
  name: "wire-messages",
  inputs: damagedBytes(vectors("stamps", "feedback", "pings", "pongs")),
  inputsEach: 100_000,
  open: parser(
    (data) => {
      const codec = CODECS[((data[0] ?? 1) + 3) % CODECS.length] as (data: Uint8Array) => Uint8Array;
      const once = codec(data);
      if (!Buffer.from(codec(once)).equals(once)) throw new Error("the second time it is another message");
    },
    (error) => error instanceof MalformedMessage,
  ),
};
