import { EVENT_WORDS } from "../telemetry/vocabulary.ts";
import type { StoredEvent } from "./session-api.ts";

/** For tests: an event as the server gives it back, every word there, null where it was not said. */
export function sampleStored(said: Pick<StoredEvent, "ts" | "e"> & Partial<StoredEvent>): StoredEvent {
  const unsaid = Object.fromEntries(EVENT_WORDS.map(({ key }) => [key, null]));
  return { ...unsaid, sn: 0, ...said } as StoredEvent;
}
