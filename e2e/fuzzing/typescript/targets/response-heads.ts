import { MalformedMessage } from "../../../../player/src/session/wire/malformed-message.ts";
import { decodeResponseHead } from "../../../../player/src/session/wire/request-line.ts";
import { changedJson, textOf } from "../inputs.ts";
import { type NodeTarget, parser } from "../target.ts";

const HEADS = [
  { status: 200, length: 65_536, total: 812_345, type: "video/mp4" },
  { status: 206, length: 10, total: 20, type: "video/iso.segment" },
  { status: 404, length: 0, reason: "'x' is not served here" },
];

/** The line in front of a segment. */
export const responseHeads: NodeTarget = {
  name: "response-heads",
  inputs: changedJson(HEADS),
  inputsEach: 100_000,
  open: parser(
    (data) => decodeResponseHead(textOf(data)),
    (error) => error instanceof MalformedMessage,
  ),
};
