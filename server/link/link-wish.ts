import { Ajv } from "ajv";
import { Refusal } from "../errors.ts";
import { LINK_LIMITS } from "../setup/link-limits.mjs";

/** The link that is asked for. */
export interface LinkWish {
  /** Of the catalogue, a rate such as `24mbit`, or `none`; from the command line also a trace file's path. */
  readonly name: string;
  readonly delayMs: number;
  readonly queuePackets: number;
  readonly lossRatio: number;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const isLinkRequest = new Ajv({ allErrors: false }).compile<{ name: string } & Partial<LinkWish>>({
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: { type: "string", pattern: NAME.source },
    delayMs: { type: "number", minimum: 0, maximum: LINK_LIMITS.delayMs },
    queuePackets: { type: "integer", minimum: 1, maximum: LINK_LIMITS.queuePackets },
    lossRatio: { type: "number", minimum: 0, maximum: LINK_LIMITS.lossRatio },
  },
});

/**
 * The wish in the body of `PUT /api/link`; what it leaves out is as the server was started.
 *
 * @throws Refusal naming the field
 */
export function parseLinkWish(body: unknown, defaults: Omit<LinkWish, "name">): LinkWish {
  if (isLinkRequest(body)) {
    const { name, delayMs, queuePackets, lossRatio } = body;
    return {
      name,
      delayMs: delayMs ?? defaults.delayMs,
      queuePackets: queuePackets ?? defaults.queuePackets,
      lossRatio: lossRatio ?? defaults.lossRatio,
    };
  }
  const [problem] = isLinkRequest.errors ?? [];
  const field = problem?.instancePath.slice(1) || "the body";
  const what = String(problem?.params.additionalProperty ?? problem?.params.missingProperty ?? "");
  throw new Refusal(400, `${field} ${problem?.message ?? "is malformed"}${what === "" ? "" : ` (${what})`}`);
}
