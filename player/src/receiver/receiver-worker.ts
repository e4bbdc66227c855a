/** Entry of the dedicated worker: one session, driven by messages of the page. */

import { makeReceiver } from "../../../cc/receiver/registry.ts";
import type { ClosedReason, OpenOptions, ToPage, ToWorker } from "./messages.ts";
import { ProgressThrottle } from "./progress-throttle.ts";
import { ReceiverSession } from "./receiver-session.ts";
import { sessionUrl } from "./session-url.ts";
import { packStamps, type StampRecord } from "./stamp-record.ts";
import { type CloseInfo, openTransport, type TransportSession } from "./transport-session.ts";

const MEASUREMENT_INTERVAL_MS = 100;
/** Close codes of transport/PROTOCOL.md with which a server refuses what was asked for. */
const REFUSALS: readonly number[] = [1, 2, 3];

const page = self as unknown as DedicatedWorkerGlobalScope;
const epochMs = (): number => performance.timeOrigin + performance.now();

let session: ReceiverSession | null = null;
let measurementTimer: ReturnType<typeof setInterval> | null = null;
let newStamps: StampRecord[] = [];
const cancels = new Map<number, AbortController>();

page.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "open":
      void open(data.options);
      break;
    case "request":
      void serve(data);
      break;
    case "cancel":
      cancels.get(data.id)?.abort();
      break;
    case "close":
      session?.close();
      break;
  }
});

async function open({ serverUrl, certificateHashes, parameters }: OpenOptions): Promise<void> {
  let wasOpen = false;
  let why: ClosedReason;
  try {
    const transport = openTransport(sessionUrl(serverUrl, parameters), certificateHashes);
    session = startSession(transport, parameters);
    // The pump ends with the session, whose `closed` says why.
    session.readDatagrams().catch(() => undefined);
    await transport.ready;
    wasOpen = true;
    post({ kind: "ready" });
    measurementTimer = setInterval(measure, MEASUREMENT_INTERVAL_MS);
    why = explain(await transport.closed);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const what = wasOpen
      ? "the session with the media server broke off"
      : "the media server cannot be reached";
    why = { kind: "lost", wasOpen, reason: `${what} (${serverUrl}: ${cause})` };
  }
  measure();
  if (measurementTimer !== null) {
    clearInterval(measurementTimer);
  }
  post({ kind: "closed", why });
}

function startSession(transport: TransportSession, parameters: OpenOptions["parameters"]): ReceiverSession {
  return new ReceiverSession({
    transport,
    scheme: makeReceiver(parameters.scheme, {
      targetDelaySeconds: parameters.targetDelayMs / 1000,
      rhoSeconds: parameters.rhoMs / 1000,
      k: parameters.k,
    }),
    nowMs: () => performance.now(),
    timeOriginMs: performance.timeOrigin,
    setTimer: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    onStampRecord: (record) => newStamps.push(record),
  });
}

function explain({ closeCode = 0, reason = "" }: CloseInfo): ClosedReason {
  if (REFUSALS.includes(closeCode)) {
    return { kind: "refused", closeCode, reason };
  }
  if (closeCode === 0) {
    return { kind: "over" };
  }
  return {
    kind: "lost",
    wasOpen: true,
    reason: `the media server closed the session: ${reason} (${closeCode})`,
  };
}

async function serve({ id, request, discardBody }: Extract<ToWorker, { kind: "request" }>): Promise<void> {
  const cancel = new AbortController();
  cancels.set(id, cancel);
  try {
    if (session === null) {
      throw new Error("no session is open");
    }
    const throttle = new ProgressThrottle(epochMs, (progress) => post({ kind: "progress", id, ...progress }));
    const { head, body, bodyBytes } = await session.download({
      request,
      signal: cancel.signal,
      discardBody,
      onHead: ({ lengthBytes }) => throttle.onHead(lengthBytes),
      onProgress: (loadedBytes) => throttle.onBytes(loadedBytes),
    });
    measure(); // so that whoever has the response has all that was measured on its way
    const done = { kind: "done", id, head, body, bodyBytes, endedAtMs: epochMs() } as const;
    post(done, body === null ? [] : [body]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    post({ kind: "failed", id, isCancelled: cancel.signal.aborted, reason });
  } finally {
    cancels.delete(id);
  }
}

function measure(): void {
  if (session === null) {
    return;
  }
  const stamps = packStamps(newStamps);
  newStamps = [];
  post({ kind: "measured", estimate: session.estimate(), stamps }, [stamps.buffer]);
}

function post(message: ToPage, transfer: Transferable[] = []): void {
  page.postMessage(message, transfer);
}
