import { EVENT_WORDS } from "../../player/src/telemetry/vocabulary.ts";
import { TOKEN_COOKIE } from "../access/token.ts";
import { LINK_REQUEST_SCHEMA } from "../link/link-request.ts";
import { SESSION_ID } from "./batch.ts";
import { BATCH_SCHEMA } from "./batch-schema.ts";
import { LONGEST_LINE_CHARACTERS } from "./cmcd-line.ts";
import { CMCD_TYPE, SESSIONS_PER_REPORT } from "./cmcd-report.ts";
import { FORMAT_NAMES, FORMATS, type FormatName } from "./export.ts";
import { FILM_PATH, FILM_PROGRESS_SCHEMA, FILMS_PATH, FILMS_SCHEMA } from "./openapi-films.ts";
import { CONFIG_SCHEMA, HEALTH_SCHEMA, LINK_ANSWER_SCHEMA } from "./openapi-page.ts";
import {
  answer,
  BY_TOKEN,
  get,
  json,
  OTHER_PAGE,
  objectOf,
  ref,
  refused,
  refusedInText,
  WITHOUT_TOKEN,
} from "./openapi-parts.ts";
import { QUERY_NUMBERS } from "./selection.ts";
import { SUMMARY_FIELDS } from "./summary.ts";

const SID = {
  name: "sid",
  in: "path",
  required: true,
  description: "random UUID of the session",
  schema: { type: "string", pattern: SESSION_ID.source },
};

const SELECTION = QUERY_NUMBERS.map(({ name, fallback, maximum, summary }) => ({
  name,
  in: "query",
  description: summary,
  schema: { type: "integer", minimum: 0, maximum, default: fallback },
}));

const COUNT = { type: "integer", minimum: 0 };

const UNAVAILABLE = {
  503: refused("not possible at the moment: come again after Retry-After seconds"),
  507: refused("no space is left: come again after Retry-After seconds"),
};

const REFUSAL = objectOf({
  error: objectOf({
    status: { type: "integer" },
    reason: { type: "string", description: "one sentence" },
    field: {
      type: ["string", "null"],
      description: "a JSON pointer into the body, or a parameter's name; null: the request as a whole",
    },
  }),
});

const WITHOUT_LENGTH = refused("in chunks, without a Content-Length");

const ACCEPT_BATCH = {
  post: {
    operationId: "sendEvents",
    summary: "Takes a batch of events; answered once they are on the disk, each counted once",
    parameters: [SID],
    requestBody: { required: true, content: json(ref("Batch")) },
    responses: {
      200: answer("the events are safe", ref("Accepted")),
      400: refused("malformed; names the field"),
      403: refused("sent by a page of another origin"),
      411: WITHOUT_LENGTH,
      413: refused("larger than 64 KiB"),
      415: refused("not JSON, or compressed"),
      429: refused("too many batches or bytes a second: come again after Retry-After seconds"),
      ...UNAVAILABLE,
    },
  },
};

const ERASE_SESSION = {
  delete: {
    operationId: "eraseSession",
    summary: "Erases a session, and all that is kept of it",
    ...BY_TOKEN,
    parameters: [SID],
    responses: {
      204: { description: "it is erased" },
      400: refused("malformed"),
      ...WITHOUT_TOKEN,
      ...OTHER_PAGE,
      404: refused("there is no such session"),
      ...UNAVAILABLE,
    },
  },
};

const ACCEPT_REPORT = {
  post: {
    operationId: "sendCmcd",
    summary: "Takes an event report of CMCD version 2 (CTA-5004-B); answered once it is on the disk",
    description: "Keys that the vocabulary lacks are left out, and values that their key cannot have.",
    requestBody: {
      required: true,
      content: {
        [CMCD_TYPE]: {
          schema: {
            type: "string",
            description: `an event a line, of ${LONGEST_LINE_CHARACTERS} characters at most; of ${SESSIONS_PER_REPORT} sessions at most`,
          },
        },
      },
    },
    responses: {
      204: { description: "the events are safe" },
      400: refused("malformed, or of too many sessions; names line and key"),
      403: refused("sent by a page of another origin"),
      411: WITHOUT_LENGTH,
      413: refused("larger than 64 KiB"),
      415: refused("another type, or compressed"),
      429: refused("too many reports or bytes a second: come again after Retry-After seconds"),
      ...UNAVAILABLE,
    },
  },
};

const LINK = {
  ...get("getLink", "The emulated link", {
    responses: {
      200: answer("the link", ref("LinkAnswer")),
      503: refused("the link that the server begins with is being started"),
    },
  }),
  put: {
    operationId: "setLink",
    summary: "Emulates another link",
    ...BY_TOKEN,
    requestBody: { required: true, content: json(ref("LinkRequest")) },
    responses: {
      200: answer("the link from now on", ref("LinkAnswer")),
      400: refused("malformed, or no such link; names the field"),
      ...WITHOUT_TOKEN,
      ...OTHER_PAGE,
      411: WITHOUT_LENGTH,
      413: refused("larger than 4 KiB"),
      415: refused("not JSON, or compressed"),
      503: refused("the emulated link cannot be changed at the moment"),
    },
  },
};

/** OpenAPI 3.1 description of the server; the schemas of bodies in it are the ones that requests are checked by. */
export const OPENAPI_DOCUMENT = {
  openapi: "3.1.0",
  info: {
    title: "nuwa-stream",
    version: "1",
    description: "Configuration, emulated link and telemetry of a nuwa-stream server.",
    license: { name: "BSD 3-Clause", identifier: "BSD-3-Clause" },
  },
  servers: [{ url: "/", description: "the server that this document comes from" }],
  security: [],
  paths: fromOwnHosts({
    "/api/config": get("getConfig", "What a page must know to begin", {
      responses: { 200: answer("the configuration", ref("Config")) },
    }),
    "/api/link": LINK,
    "/api/films": FILMS_PATH,
    "/api/films/{name}": FILM_PATH,
    "/api/telemetry/sessions": get("listSessions", "What came of each session, the last heard of first", {
      ...BY_TOKEN,
      parameters: SELECTION,
      responses: {
        200: answer("the sessions", ref("Sessions")),
        400: refused("malformed query"),
        ...WITHOUT_TOKEN,
        ...UNAVAILABLE,
      },
    }),
    "/api/telemetry/sessions/{sid}": ERASE_SESSION,
    "/api/telemetry/sessions/{sid}/events": ACCEPT_BATCH,
    "/api/telemetry/cmcd": ACCEPT_REPORT,
    ...Object.fromEntries(
      FORMAT_NAMES.flatMap((format) => [eventsPath(format, false), eventsPath(format, true)]),
    ),
    "/api/openapi.json": get("getDescription", "This document", {
      responses: { 200: answer("OpenAPI 3.1", { type: "object" }) },
    }),
    "/healthz": get("getHealth", "Whether everything runs", {
      responses: {
        200: answer("it does", ref("Health")),
        503: answer("something is away", ref("Health")),
      },
    }),
    "/api/time": get("getTime", "The time of the server", {
      responses: {
        200: {
          description: "to the millisecond, in UTC",
          content: { "text/plain": { schema: { type: "string", format: "date-time" } } },
        },
      },
    }),
    "/unlock": get("unlock", "Gives a browser the token as a cookie, then shows the page", {
      parameters: [
        {
          name: "token",
          in: "query",
          description: "as it was printed at the start",
          schema: { type: "string" },
        },
      ],
      responses: {
        303: {
          description: "to the page; the cookie is set where the server has a token",
          headers: { "Set-Cookie": { schema: { type: "string" } } },
        },
        401: refusedInText("not the token"),
      },
    }),
    "/metrics": get("getMetrics", "Metrics for Prometheus", {
      ...BY_TOKEN,
      responses: {
        401: refusedInText("asked for without the token"),
        200: { description: "text format 0.0.4", content: { "text/plain": { schema: { type: "string" } } } },
      },
    }),
  }),
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      cookie: { type: "apiKey", in: "cookie", name: TOKEN_COOKIE },
    },
    schemas: {
      Batch: BATCH_SCHEMA,
      StoredEvent: storedEvent(),
      Sessions: sessionsSchema(),
      Accepted: objectOf({ accepted: COUNT, duplicates: COUNT }),
      Config: CONFIG_SCHEMA,
      LinkAnswer: LINK_ANSWER_SCHEMA,
      LinkRequest: LINK_REQUEST_SCHEMA,
      Films: FILMS_SCHEMA,
      FilmProgress: FILM_PROGRESS_SCHEMA,
      Health: HEALTH_SCHEMA,
      Refusal: REFUSAL,
    },
  },
};

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: object;
}

type Operations = Readonly<Record<string, Operation>>;

/** Whatever is asked for at a host that is not the server's own is refused alike. */
function fromOwnHosts(paths: Readonly<Record<string, object>>): Readonly<Record<string, Operations>> {
  return Object.fromEntries(
    Object.entries(paths as Readonly<Record<string, Operations>>).map(([path, operations]) => {
      const sentence = "asked for at a host that is not this server's";
      const refusal = path.startsWith("/api/") ? refused(sentence) : refusedInText(sentence);
      const told = Object.entries(operations).map(([method, operation]) => [
        method,
        { ...operation, responses: { ...operation.responses, 421: refusal } },
      ]);
      return [path, Object.fromEntries(told)];
    }),
  );
}

function eventsPath(format: FormatName, isOfSession: boolean): [string, object] {
  const content =
    format === "json"
      ? json({ type: "array", items: ref("StoredEvent") })
      : { [FORMATS[format].contentType.split(";")[0] ?? ""]: {} };
  const name = format.charAt(0).toUpperCase() + format.slice(1);
  const operation = get(
    `get${isOfSession ? "Session" : ""}Events${name}`,
    `Events as ${format}, the oldest first`,
    {
      ...BY_TOKEN,
      parameters: isOfSession ? [SID, ...SELECTION] : SELECTION,
      responses: {
        200: { description: "the events", content },
        400: refused("malformed query"),
        ...WITHOUT_TOKEN,
        ...UNAVAILABLE,
      },
    },
  );
  return [`/api/telemetry/${isOfSession ? "sessions/{sid}/" : ""}events.${format}`, operation];
}

/** As it is read back: every key is there, null where the event did not have it. */
function storedEvent() {
  const keys = EVENT_WORDS.map(({ key, type }) => [key, { type: [type, "null"] }] as const);
  const nullable = { type: ["string", "null"] };
  const added = {
    sid: { type: "string" },
    receivedAtMs: { type: "integer" },
    ...{ cid: nullable, sf: nullable, st: nullable, dropped: { type: ["integer", "null"] } },
  };
  return { type: "object", properties: { ...added, ...Object.fromEntries(keys) } };
}

function sessionsSchema() {
  const properties = SUMMARY_FIELDS.map(
    ([name, , description]) => [name, { type: ["string", "number", "null"], description }] as const,
  );
  const session = { type: "object", properties: Object.fromEntries(properties) };
  return objectOf({ sessions: { type: "array", items: session } });
}
