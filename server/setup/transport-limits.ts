import type { Range } from "../../player/src/options/server-config.ts";
import LIMITS from "../../transport/media_server/limits.json" with { type: "json" };

/** Processes of the media server. */
export const WORKERS: Range = LIMITS.workers;

/** What it may send to one session, or to all together. */
export const RATE_LIMITS_MBIT: Range = LIMITS.rate_mbit;

/** What all sessions of one process together may have in flight. */
export const IN_FLIGHT_MIB: Range = LIMITS.in_flight_mib;
