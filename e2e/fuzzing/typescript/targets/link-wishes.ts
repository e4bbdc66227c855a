import { Refusal } from "../../../../server/errors.ts";
import { LINK_LIMITS } from "../../../../server/link/link-limits.ts";
import { parseLinkRequest } from "../../../../server/link/link-request.ts";
import { changedJson, textOf } from "../inputs.ts";
import { type NodeTarget, parser } from "../target.ts";

const WISHES = [
  { name: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0.01 },
  { name: "none" },
  { name: "lte-like", delayMs: 0 },
];

/** The body of `PUT /api/link`. */
export const linkWishes: NodeTarget = {
  name: "link-wishes",
  inputs: changedJson(WISHES),
  inputsEach: 100_000,
  open: parser(
    (data) => {
      const wish = parseLinkRequest(JSON.parse(textOf(data)), {
        delayMs: 20,
        queuePackets: 300,
        lossRatio: 0,
      });
      const { min, max } = LINK_LIMITS.queuePackets;
      if (!(wish.queuePackets >= min && wish.queuePackets <= max)) throw new Error(JSON.stringify(wish));
    },
    (error) => error instanceof Refusal || error instanceof SyntaxError,
  ),
};
