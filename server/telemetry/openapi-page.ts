import { FILM_SCHEMA } from "./openapi-films.ts";
import { STORAGE_PROBLEMS } from "./storage-problem.ts";

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
    sessionToken: {
      type: "string",
      description: "opens a session within the next minute; absent where none is asked for",
    },
    workers: {
      type: "array",
      description: "every address that sessions may be at; `url` is the one with the fewest",
      items: {
        type: "object",
        properties: { url: TEXT, certificateHashes: { type: "array", items: TEXT } },
      },
    },
  },
} as const;

const RANGE_SCHEMA = {
  type: "object",
  required: ["min", "max"],
  properties: { min: { type: "number" }, max: { type: "number" } },
} as const;

const LINK_LIMITS_SCHEMA = {
  type: "object",
  description: "what may be asked of a link",
  required: ["delayMs", "queuePackets", "loss"],
  properties: { delayMs: RANGE_SCHEMA, queuePackets: RANGE_SCHEMA, loss: RANGE_SCHEMA },
} as const;

/** `GET /api/config`. */
export const CONFIG_SCHEMA = {
  type: "object",
  required: ["protocolVersion", "transport", "schemes", "presets", "rules", "defaults", "film", "films"],
  properties: {
    protocolVersion: { type: "integer" },
    transport: TRANSPORT_SCHEMA,
    schemes: LIST,
    presets: LIST,
    rules: LIST,
    defaults: { type: "object", properties: { scheme: TEXT, preset: TEXT, rule: TEXT } },
    film: {
      ...FILM_SCHEMA,
      type: ["object", "null"],
      description: "the one that plays where none is asked for; null where there is none",
    },
    mayChangeLink: { type: "boolean", description: "whether this client may: PUT /api/link" },
    takesFilms: { type: "boolean", description: "whether this client may add one: POST /api/films" },
    takesTelemetry: { type: "boolean", description: "whether reports of pages are kept now" },
    cmcdCollector: { type: ["string", "null"], description: "where pages report by CMCD, too" },
    isLinkShared: { type: "boolean", description: "whether all sessions share the emulated link" },
    films: { type: "array", description: "in the order of the menu", items: FILM_SCHEMA },
    link: LINK_SCHEMA,
    links: LIST,
    linkLimits: LINK_LIMITS_SCHEMA,
  },
} as const;

/** `GET /healthz`. */
export const HEALTH_SCHEMA = {
  type: "object",
  required: ["status", "transport", "newcomers", "relay", "telemetry"],
  properties: {
    status: { type: "string", description: "ok, or what is away" },
    transport: { enum: ["ok", "away"], description: "the media server" },
    newcomers: { enum: ["ok", "shut out"], description: "whether it opens new sessions" },
    relay: { enum: ["ok", "away", null], description: "of the emulated link; null where there is none" },
    telemetry: {
      enum: ["ok", ...STORAGE_PROBLEMS, null],
      description: "why none can be stored now, which is no reason for 503; null where none is taken",
    },
  },
} as const;

/** `GET` and `PUT /api/link`. */
export const LINK_ANSWER_SCHEMA = {
  type: "object",
  required: ["link", "limits", "nowMs"],
  properties: {
    nowMs: { type: "number", description: "the time of the server, ms of the epoch" },
    link: LINK_SCHEMA,
    limits: LINK_LIMITS_SCHEMA,
  },
} as const;
