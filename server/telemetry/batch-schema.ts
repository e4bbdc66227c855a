import {
  CMCD_VERSION,
  EVENT_WORDS,
  EVENTS_PER_BATCH,
  type EventWord,
  SCHEMA_VERSION,
} from "../../player/src/telemetry/vocabulary.ts";

/** Neither NUL nor half a surrogate pair, which the database cannot hold. */
const TEXT = "^[^\\u0000\\p{Cs}]*$";

/** What else an event of a type must say. */
const REQUIRED = { ps: "sta", bc: "br", e: "ec", ce: "cen" } as const;

/** JSON Schema (2020-12) of an event; checks requests and stands in the OpenAPI document. */
export const EVENT_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["sn", "ts", "e"],
  properties: Object.fromEntries(EVENT_WORDS.map((word) => [word.key, propertyOf(word)])),
  allOf: Object.entries(REQUIRED).map(([type, key]) => ({
    if: { type: "object", properties: { e: { const: type } }, required: ["e"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: "object", required: [key], properties: { [key]: true } },
  })),
} as const;

/** JSON Schema (2020-12) of a batch. */
export const BATCH_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["schema", "v", "cid", "sf", "st", "dropped", "events"],
  properties: {
    schema: { const: SCHEMA_VERSION, description: "version of this form" },
    v: { const: CMCD_VERSION, description: "version of CMCD" },
    cid: { type: "string", minLength: 1, maxLength: 128, pattern: TEXT, description: "content: the film" },
    sf: { const: "d", description: "streaming format: DASH" },
    st: { enum: ["v", "l", "ll"], description: "on demand, live, low latency" },
    dropped: {
      type: "integer",
      minimum: 0,
      maximum: 1_000_000_000,
      description: "events of the session that the browser had to drop so far",
    },
    events: { type: "array", maxItems: EVENTS_PER_BATCH, items: EVENT_SCHEMA },
  },
} as const;

function propertyOf({ key: _key, unit, meaning, type, values, maxLength, ...limits }: EventWord) {
  const description = unit === null ? meaning : `${meaning}, ${unit}`;
  if (values !== undefined) return { type, enum: values, description };
  if (type === "string") return { type, minLength: 1, maxLength, pattern: TEXT, description };
  return { type, ...limits, description };
}
