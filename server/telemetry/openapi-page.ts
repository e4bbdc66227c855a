const TEXT = { type: "string" } as const;
const TITLED = {
  type: "object",
  required: ["name", "title", "summary"],
  properties: { name: TEXT, title: TEXT, summary: TEXT },
} as const;
const LIST = { type: "array", items: TITLED } as const;

const CAPACITY_SCHEMA = {
  type: ["object", "null"],
  description: "what the link lets through over time; repeats after its period",
  required: ["binMs", "periodMs", "bitsPerSecond"],
  properties: {
    binMs: { type: "number" },
    periodMs: { type: "number" },
    bitsPerSecond: { type: "array", items: { type: "number" } },
  },
} as const;

const LINK_SCHEMA = {
  type: ["object", "null"],
  description: "the emulated link; null where nothing is emulated",
  required: [
    "name",
    "title",
    "delayMs",
    "queuePackets",
    "queueBytes",
    "lossRatio",
    "startedAtMs",
    "capacity",
  ],
  properties: {
    name: TEXT,
    title: TEXT,
    delayMs: { type: "number", description: "each way" },
    queuePackets: { type: ["integer", "null"] },
    queueBytes: { type: ["integer", "null"] },
    lossRatio: { type: "number" },
    startedAtMs: { type: "number", description: "time 0 of the trace, ms of the epoch" },
    capacity: CAPACITY_SCHEMA,
  },
} as const;

const TRANSPORT_SCHEMA = {
  type: ["object", "null"],
  description: "the media server; null while it is away",
  required: ["url", "certificateHashes"],
  properties: {
    url: TEXT,
    certificateHashes: { type: "array", items: TEXT, description: "SHA-256 in base64" },
    laneUrls: { type: "array", items: TEXT },
  },
} as const;

/** `GET /api/config`. */
export const CONFIG_SCHEMA = {
  type: "object",
  required: ["protocolVersion", "transport", "schemes", "presets", "rules", "defaults", "film"],
  properties: {
    protocolVersion: { type: "integer" },
    transport: TRANSPORT_SCHEMA,
    schemes: LIST,
    presets: LIST,
    rules: LIST,
    defaults: { type: "object", properties: { scheme: TEXT, preset: TEXT, rule: TEXT } },
    film: {
      type: "object",
      properties: { title: TEXT, manifestUrl: TEXT, durationSeconds: { type: "number" } },
    },
    link: LINK_SCHEMA,
    links: LIST,
  },
} as const;

/** `GET` and `PUT /api/link`. */
export const LINK_ANSWER_SCHEMA = {
  type: "object",
  required: ["link"],
  properties: { link: LINK_SCHEMA },
} as const;

/** Body of `PUT /api/link`. */
export const LINK_WISH_SCHEMA = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", description: "of the configuration's links, or a rate such as 24mbit" },
    delayMs: { type: "number", minimum: 0 },
    queuePackets: { type: ["integer", "null"], minimum: 1 },
    lossRatio: { type: "number", minimum: 0, maximum: 1 },
  },
} as const;
