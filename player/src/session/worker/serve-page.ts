/** A dedicated worker's work: one session, driven by messages of the page. */

import type { ClosedReason, OpenOptions, ToPage, ToWorker } from "../messages.ts";
import { sessionUrl } from "../session-url.ts";
import type { MadeScheme, MakeScheme } from "./make-scheme.ts";
import { ProgressThrottle } from "./progress-throttle.ts";
import { ReceiverSession, TICK_MS } from "./receiver-session.ts";
import { causeOf, receiverFailed, runSession, unreachable } from "./session-life.ts";
import type { StampBatch } from "./stamp-batch.ts";
import { openTransport, type TransportSession } from "./transport-session.ts";

const page = self as unknown as DedicatedWorkerGlobalScope;
const epochMs = (): number => performance.timeOrigin + performance.now();

let session: ReceiverSession | null = null;
let isOpen = false;
let isClosing = false;
const cancels = new Map<number, AbortController>();

/** What a worker is made of. */
export interface WorkerParts {
  readonly makeScheme: MakeScheme;
  /** Where the page keeps stamps. */
  readonly stamps?: StampBatch;
}

let parts: WorkerParts;

/** Serves the page that started this worker. */
export function servePage(made: WorkerParts): void {
  parts = made;
  page.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => onMessage(data));
}

function onMessage(data: ToWorker): void {
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
    case "need":
      session?.onNeed(data.need);
      break;
    case "probe":
      if (isOpen) {
        session?.probe();
      }
      break;
    case "close":
      isClosing = true;
      session?.close();
      break;
  }
}

async function open(options: OpenOptions): Promise<void> {
  const ticking = setInterval(tick, TICK_MS);
  const why = await live(options);
  clearInterval(ticking);
  try {
    measure();
  } finally {
    post({ kind: "closed", why }); // also when the scheme, whose failure may be the cause, cannot tell its state
  }
}

async function live(options: OpenOptions): Promise<ClosedReason> {
  const { serverUrl, certificateHashes, sessionToken, parameters } = options;
  let made: MadeScheme;
  try {
    made = await parts.makeScheme(options, (forMs) => post({ kind: "busy", forMs }));
  } catch (error) {
    return receiverFailed(error, false);
  }
  if (isClosing) {
    return { kind: "over" };
  }
  let transport: TransportSession;
  try {
    transport = openTransport(sessionUrl(serverUrl, parameters, sessionToken), certificateHashes);
    session = startSession(transport, made);
  } catch (error) {
    return unreachable(serverUrl, error);
  }
  return await runSession({ transport, session, serverUrl, onReady });
}

function onReady(): void {
  isOpen = true;
  post({ kind: "ready" });
}

/** Also the page's proof that this thread is alive. */
function tick(): void {
  if (isOpen) {
    session?.tick();
    measure();
  } else {
    post({ kind: "alive" });
  }
}

function startSession(transport: TransportSession, { scheme, learned }: MadeScheme): ReceiverSession {
  return new ReceiverSession({
    transport,
    scheme,
    learned,
    nowMs: () => performance.now(),
    wallMs: () => Date.now(),
    timeOriginMs: performance.timeOrigin,
    setTimer: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    onStamp: parts.stamps && ((received) => parts.stamps?.add(received)),
    onSilence: (isSilent) => post({ kind: "silence", isSilent }),
  });
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
    post({ kind: "failed", id, isCancelled: cancel.signal.aborted, reason: causeOf(error) });
  } finally {
    cancels.delete(id);
  }
}

function measure(): void {
  if (session === null) {
    return;
  }
  const stamps = parts.stamps?.take() ?? new Float64Array();
  post({ kind: "measured", estimate: session.estimate(), stamps }, [stamps.buffer]);
}

function post(message: ToPage, transfer: Transferable[] = []): void {
  page.postMessage(message, transfer);
}
