import { NO_EVENT_STORE, openEventStore } from "./event-store.ts";
import { TelemetryClient } from "./telemetry-client.ts";

export interface TelemetryWishes {
  readonly sid: string;
  /** Of the film. */
  readonly cid: string;
  readonly nowMs: () => number;
}

/** Telemetry of a page that plays: a session of its own, in the browser's own storage until the server has it. */
export async function startTelemetry({ sid, cid, nowMs }: TelemetryWishes): Promise<TelemetryClient> {
  const store = await openEventStore(nowMs).catch((error: unknown) => {
    onUnkept(error);
    return NO_EVENT_STORE;
  });
  const client = new TelemetryClient({
    session: { sid, cid: cid.slice(0, 128) || "unknown", st: "v", dropped: 0 },
    store,
    fetch: (...request) => fetch(...request),
    nowMs,
    monotonicMs: () => performance.now(),
    setTimer: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    unlessAlive,
    onUnkept,
  });
  holdLifeLock(sid);
  document.addEventListener("visibilitychange", () => {
    const isHidden = document.visibilityState === "hidden";
    client.report("b", isHidden ? { bg: true } : {});
    if (isHidden) void client.leave();
  });
  addEventListener("online", () => client.sendNow());
  return client;
}

function onUnkept(error: unknown): void {
  console.warn(`Telemetry that is not sent by then ends with this page: ${error}`);
}

const lockOf = (sid: string): string => `nuwa-telemetry ${sid}`;

/** Held until the page ends, however it ends. */
function holdLifeLock(sid: string): void {
  // Where there are no locks, two pages may send the same; the server counts it once.
  void navigator.locks?.request(lockOf(sid), () => new Promise<never>(() => undefined));
}

async function unlessAlive(sid: string, body: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return body();
  await navigator.locks.request(lockOf(sid), { ifAvailable: true }, async (lock) => {
    if (lock !== null) await body();
  });
}
