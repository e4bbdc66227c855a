import { Ajv2020 } from "ajv/dist/2020.js";
import { Refusal } from "../errors.ts";
import { OWN_SCHEMA, schemaProblem } from "../schema-problem.ts";
import { canonicalLink, LINK_LIMITS, LINK_NAME } from "./link-limits.ts";

/** The link that is asked for. */
export interface LinkRequest {
  /** Of the catalogue, a rate such as `24mbit`, or `none`; from the command line also a trace file's path. */
  readonly name: string;
  readonly delayMs: number;
  readonly queuePackets: number;
  readonly lossRatio: number;
}

const within = ({ min, max }: { min: number; max: number }) => ({ minimum: min, maximum: max });

/** JSON Schema of the body of `PUT /api/link`; checks requests and stands in the OpenAPI document. */
export const LINK_REQUEST_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: {
      type: "string",
      pattern: LINK_NAME,
      description: "of the configuration's links, or a rate such as 24mbit",
    },
    delayMs: { type: "number", ...within(LINK_LIMITS.delayMs), description: "each way" },
    queuePackets: { type: "integer", ...within(LINK_LIMITS.queuePackets) },
    lossRatio: { type: "number", ...within(LINK_LIMITS.loss) },
  },
};

const isLinkRequest = new Ajv2020(OWN_SCHEMA).compile<{ name: string } & Partial<LinkRequest>>(
  LINK_REQUEST_SCHEMA,
);

/**
 * The request in the body of `PUT /api/link`; what it leaves out is as the server was started.
 *
 * @throws Refusal naming the field
 */
export function parseLinkRequest(body: unknown, defaults: Omit<LinkRequest, "name">): LinkRequest {
  if (!isLinkRequest(body)) {
    const { field, sentence } = schemaProblem(isLinkRequest.errors?.[0], "the link");
    throw new Refusal(400, sentence, { field });
  }
  const { name, delayMs, queuePackets, lossRatio } = body;
  return {
    name: canonicalLink(name),
    delayMs: delayMs ?? defaults.delayMs,
    queuePackets: queuePackets ?? defaults.queuePackets,
    lossRatio: lossRatio ?? defaults.lossRatio,
  };
}
