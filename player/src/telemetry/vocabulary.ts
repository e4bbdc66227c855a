/**
 * The words of a report, in one table: the page's types, the server's schema and columns, and the table of
 * server/telemetry/README.md are read from it. Where CMCD version 2 (CTA-5004-B, event mode) has the word, it is CMCD's, in
 * its unit and rounding; the others carry the prefix `nuwa-`, as CMCD asks of custom keys.
 *
 * CMCD's inner lists are written as their one item, that of the video: 3000 stands for `(3000;v)`, an error code for
 * `("code")`.
 */

/** Of the batch's form; grows when a server of before would misunderstand. */
export const SCHEMA_VERSION = 1;

/** CMCD's own `v`. */
export const CMCD_VERSION = 2;

/** A batch holds no more events, so that 64 KiB suffice for it. */
export const EVENTS_PER_BATCH = 200;

export const BODY_LIMIT_BYTES = 64 * 1024;

interface Word {
  readonly key: string;
  readonly type: "integer" | "number" | "boolean" | "string";
  /** null for what has none. */
  readonly unit: "ms" | "kbit/s" | "bytes" | null;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  /** Characters; such a string is free text. */
  readonly maxLength?: number;
  readonly meaning: string;
}

/** A day. */
export const LONGEST_MS = 86_400_000;
export const HIGHEST_KBPS = 10_000_000;
/** As long as JavaScript's times. */
const EPOCH_MS = 8.64e15;

const MS = { type: "integer", unit: "ms", minimum: 0, maximum: LONGEST_MS } as const;
const KBPS = { type: "integer", unit: "kbit/s", minimum: 0, maximum: HIGHEST_KBPS } as const;
const COUNT = { type: "integer", unit: null, minimum: 0, maximum: 1_000_000_000 } as const;
const FLAG = { type: "boolean", unit: null } as const;
const NAME = { type: "string", unit: null, maxLength: 64 } as const;
const FINE_MS = { type: "number", unit: "ms", minimum: 0, maximum: LONGEST_MS } as const;

/** Keys of an event; `sn`, `ts` and `e` are in each. */
export const EVENT_WORDS = [
  {
    key: "sn",
    ...COUNT,
    meaning: "sequence number in the session, from 0; with the session it names the event",
  },
  { key: "ts", ...MS, maximum: EPOCH_MS, meaning: "when it happened, since the Unix epoch" },
  {
    key: "e",
    type: "string",
    unit: null,
    values: [
      ...["ps", "bc", "e", "t", "rr", "ce", "b", "m", "um", "pr", "sk"],
      ...["c", "pe", "pc", "as", "ae", "abs", "abe"],
    ] as const,
    meaning:
      "ps play state, bc bitrate change, e error, t interval, rr response, ce own event (cen), b hidden or shown, m mute, um unmute, pr rate, sk skip, c content, pe player expanded, pc collapsed, as and ae advertisement, abs and abe break",
  },
  {
    key: "sta",
    type: "string",
    unit: null,
    values: ["s", "p", "k", "r", "a", "w", "e", "f", "q", "d"],
    meaning:
      "s starting, p playing, k seeking, r rebuffering, a paused, w waiting, e ended, f fatal error, q quit, d preloading",
  },
  { key: "cen", ...NAME, meaning: "name of an own event: nuwa-path, nuwa-choices, nuwa-policy" },
  { key: "bl", ...MS, multipleOf: 100, meaning: "buffer length" },
  { key: "tbl", ...MS, multipleOf: 100, meaning: "target buffer length" },
  { key: "br", ...KBPS, meaning: "bitrate of the representation selected now" },
  { key: "pb", ...KBPS, meaning: "bitrate of what is on the screen" },
  { key: "tb", ...KBPS, meaning: "highest bitrate of the manifest" },
  { key: "lb", ...KBPS, meaning: "lowest bitrate of the manifest" },
  { key: "mtp", ...KBPS, multipleOf: 100, meaning: "throughput that the adaptation goes by" },
  { key: "rtp", ...KBPS, multipleOf: 100, meaning: "throughput that would suffice" },
  { key: "bs", ...FLAG, meaning: "the buffer ran empty since the last interval; only sent if so" },
  { key: "bsa", ...COUNT, meaning: "how often the buffer ran empty in the session" },
  { key: "bsd", ...MS, meaning: "how long the stall lasted that has just ended; once for each" },
  { key: "bsda", ...MS, meaning: "how long all stalls of the session lasted" },
  {
    key: "msd",
    ...MS,
    meaning:
      "from the wish to play, which is the opening of a page that plays by itself, to the first frame; once in a session",
  },
  { key: "su", ...FLAG, meaning: "the buffer has not been full since start, seek or stall; only sent if so" },
  {
    key: "pt",
    ...MS,
    maximum: EPOCH_MS,
    meaning: "playhead's place in the film; live often since the Unix epoch",
  },
  {
    key: "pr",
    type: "number",
    unit: null,
    minimum: 0,
    maximum: 16,
    meaning: "playback rate, where it is not 1",
  },
  { key: "dfa", ...COUNT, meaning: "dropped frames in the session" },
  { key: "ltc", ...MS, meaning: "latency behind the live edge" },
  { key: "bg", ...FLAG, meaning: "the page is hidden; only sent if so" },
  { key: "ec", type: "string", unit: null, maxLength: 128, meaning: "error code" },
  { key: "rc", ...COUNT, maximum: 999, meaning: "status of a response; 0 where none came" },
  { key: "ttfb", ...MS, meaning: "from a request to the first byte of its response" },
  { key: "ttlb", ...MS, meaning: "from a request to the last byte of its response" },
  { key: "nuwa-mt", ...FINE_MS, maximum: 1e12, meaning: "monotonic time since the page was opened" },
  { key: "nuwa-qd", ...FINE_MS, meaning: "queueing delay that the receiver measures" },
  { key: "nuwa-td", ...FINE_MS, meaning: "queueing delay that the window aims at" },
  { key: "nuwa-rtt", ...FINE_MS, meaning: "smoothed round trip that the sender measures" },
  { key: "nuwa-w", ...COUNT, unit: "bytes", meaning: "window that the receiver asks for" },
  { key: "nuwa-cwnd", ...COUNT, unit: "bytes", meaning: "the sender's congestion window" },
  { key: "nuwa-k", type: "number", unit: null, minimum: 0, maximum: 100, meaning: "aggressiveness k" },
  { key: "nuwa-bw", ...KBPS, meaning: "the receiver's estimate of the path's capacity" },
  { key: "nuwa-dr", ...KBPS, meaning: "rate of what reached the receiver in the last second" },
  { key: "nuwa-missing", ...COUNT, meaning: "stamps that did not reach the receiver in its session" },
  { key: "nuwa-late", ...FINE_MS, meaning: "how late the receiver's thread woke at most in the last second" },
  {
    key: "nuwa-path",
    type: "string",
    unit: null,
    values: ["connecting", "webtransport", "http"],
    meaning: "way of the segments",
  },
  {
    key: "nuwa-reason",
    type: "string",
    unit: null,
    maxLength: 200,
    meaning: "why the path is this one, or why the policy is done without",
  },
  { key: "nuwa-policy", ...NAME, meaning: "learned policy that the receiver's scheme asks" },
  { key: "nuwa-dec", ...COUNT, meaning: "decisions that the policy took in its session" },
  {
    key: "nuwa-undec",
    ...COUNT,
    meaning: "requests to the policy without an answer in time, or without one",
  },
  { key: "nuwa-dect", ...FINE_MS, meaning: "time that 99 % of the newest decisions took at most" },
  { key: "nuwa-scheme", ...NAME, meaning: "congestion control" },
  { key: "nuwa-preset", ...NAME, meaning: "preset of the receiver that was chosen" },
  { key: "nuwa-rule", ...NAME, meaning: "adaptation rule that was chosen" },
  { key: "nuwa-estimator", ...NAME, meaning: "whose measurement the rule sees: receiver or dashjs" },
  { key: "nuwa-decided", ...NAME, meaning: "rule that decided the change of bitrate" },
] as const satisfies readonly Word[];

export type EventWord = Word;

type Entry = (typeof EVENT_WORDS)[number];
type ValueOf<E> = E extends { readonly values: readonly (infer V)[] }
  ? V
  : E extends { readonly type: "boolean" }
    ? boolean
    : E extends { readonly type: "string" }
      ? string
      : number;

/** What an event may say beside its number and time. */
export type EventFields = { readonly [E in Entry as Exclude<E["key"], "sn" | "ts" | "e">]?: ValueOf<E> };

export type EventType = ValueOf<Extract<Entry, { key: "e" }>>;

export interface TelemetryEvent extends EventFields {
  readonly sn: number;
  readonly ts: number;
  readonly e: EventType;
}

/** On demand, live, low latency. */
export type StreamType = "v" | "l" | "ll";

/** Body of `POST /api/telemetry/sessions/SID/events`. */
export interface TelemetryBatch {
  readonly schema: typeof SCHEMA_VERSION;
  readonly v: typeof CMCD_VERSION;
  /** Content: the film. */
  readonly cid: string;
  /** Streaming format: DASH. */
  readonly sf: "d";
  readonly st: StreamType;
  /** Events of the session that the browser had to drop so far; their numbers never come. */
  readonly dropped: number;
  readonly events: readonly TelemetryEvent[];
}
