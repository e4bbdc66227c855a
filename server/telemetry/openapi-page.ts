import type {
  LinkCapacity,
  LinkLimits,
  LinkState,
  NamedEntry,
  Range,
  ServerConfig,
  SessionAddress,
} from "../../player/src/options/server-config.ts";
import { FILM_SCHEMA } from "./openapi-films.ts";
import { objectOf } from "./openapi-parts.ts";
import { STORAGE_PROBLEMS } from "./storage-problem.ts";

const TEXT = { type: "string" } as const;
const NUMBER = { type: "number" } as const;
const OR_NULL = ["object", "null"] as const;
const LIST = { type: "array", items: objectOf<NamedEntry>({ name: TEXT, title: TEXT, summary: TEXT }) };

const CAPACITY_SCHEMA = objectOf<LinkCapacity>(
  { binMs: NUMBER, periodMs: NUMBER, bitsPerSecond: { type: "array", items: NUMBER } },
  { type: OR_NULL, description: "what the link lets through over time; repeats after its period" },
);

const LINK_SCHEMA = objectOf<LinkState>(
  {
    name: TEXT,
    title: TEXT,
    delayMs: { type: "number", description: "each way" },
    queuePackets: { type: ["integer", "null"] },
    queueBytes: { type: ["integer", "null"] },
    lossRatio: NUMBER,
    startedAtMs: { type: "number", description: "time 0 of the trace, ms of the epoch" },
    capacity: CAPACITY_SCHEMA,
  },
  { type: OR_NULL, description: "the emulated link; null where nothing is emulated" },
);

const HASHES = { type: "array", items: TEXT, description: "SHA-256 in base64" } as const;

const TRANSPORT_SCHEMA = objectOf<SessionAddress>(
  {
    url: TEXT,
    certificateHashes: HASHES,
    laneUrls: { type: "array", items: TEXT, minItems: 2, maxItems: 2 },
    sessionToken: {
      type: "string",
      description: "opens a session within the next minute; absent where none is asked for",
    },
    workers: {
      type: "array",
      description: "every address that sessions may be at; `url` is the one with the fewest",
      items: objectOf<Pick<SessionAddress, "url" | "certificateHashes">>({
        url: TEXT,
        certificateHashes: HASHES,
      }),
    },
  },
  {
    type: OR_NULL,
    description: "the media server; null while it is away",
    required: ["url", "certificateHashes", "laneUrls", "workers"],
  },
);

const RANGE_SCHEMA = objectOf<Range>({ min: NUMBER, max: NUMBER });
const LINK_LIMITS_SCHEMA = objectOf<LinkLimits>(
  { delayMs: RANGE_SCHEMA, queuePackets: RANGE_SCHEMA, loss: RANGE_SCHEMA },
  { description: "what may be asked of a link" },
);

/** `GET /api/config`. */
export const CONFIG_SCHEMA = objectOf<ServerConfig>({
  protocolVersion: { type: "integer" },
  transport: TRANSPORT_SCHEMA,
  schemes: LIST,
  schemesNotOffered: {
    type: "array",
    description: "films may have been watched under them",
    items: objectOf<Pick<NamedEntry, "name" | "title">>({ name: TEXT, title: TEXT }),
  },
  presets: LIST,
  rules: LIST,
  defaults: objectOf<ServerConfig["defaults"]>({ scheme: TEXT, preset: TEXT, rule: TEXT }),
  film: {
    ...FILM_SCHEMA,
    type: OR_NULL,
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
});

/** `GET /healthz`. */
export const HEALTH_SCHEMA = objectOf({
  status: { type: "string", description: "ok, or what is away" },
  transport: { enum: ["ok", "away"], description: "the media server" },
  newcomers: { enum: ["ok", "shut out"], description: "whether it opens new sessions" },
  relay: { enum: ["ok", "away", null], description: "of the emulated link; null where there is none" },
  films: { enum: ["ok", "away"], description: "away: the only one could not be encoded" },
  telemetry: {
    enum: ["ok", ...STORAGE_PROBLEMS, null],
    description: "why none can be stored now, which is no reason for 503; null where none is taken",
  },
});

/** `GET` and `PUT /api/link`. */
export const LINK_ANSWER_SCHEMA = objectOf({
  link: LINK_SCHEMA,
  limits: LINK_LIMITS_SCHEMA,
  nowMs: { type: "number", description: "the time of the server, ms of the epoch" },
});
