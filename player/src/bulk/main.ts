/** The download benchmark: N bytes of filler over WebTransport under one scheme; nothing is played. */

import { signal } from "@preact/signals-core";
import { appendBounded } from "../dash/play-log.ts";
import { elementById } from "../page/dom/elements.ts";
import { Notice } from "../page/dom/notice.ts";
import { fetchMediaServer, fetchServerConfig } from "../page/fetch-config.ts";
import { policySource } from "../page/film/policy-source.ts";
import { noWebTransportNotice } from "../page/film/refusals/no-webtransport.ts";
import {
  type BulkResult,
  type EstimateRecord,
  epochMs,
  publish,
  type Snapshot,
} from "../page/nuwa-stream.ts";
import type { Choices } from "../page/query/choices.ts";
import { readChoices, sessionParameters } from "../page/query/choices.ts";
import { showReadout } from "../page/words/readout.ts";
import { policySentence } from "../page/words/sentences.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { policyFilesOf } from "../session/policy/policy-files.ts";
import { StampLog } from "../session/stamp-record.ts";
import { watchNews } from "../session/watch.ts";
import { openWorkerSession, type WorkerSession } from "../session/worker-session.ts";
import "../page/styles/bulk.css";

const DEFAULT_BYTES = 30_000_000;
const MAXIMUM_BYTES = 1e12; // transport/wire_format/PROTOCOL.md
const READOUT_INTERVAL_MS = 200;

const notice = new Notice(elementById("notice", HTMLElement));
const progress = elementById("progress", HTMLProgressElement);
const outcome = elementById("outcome", HTMLElement);
const estimates: EstimateRecord[] = [];
let receivedBytes = 0;

const stamps = new StampLog();
const estimate = signal<NetworkEstimate | null>(null);

let choices: Choices | null = null;
let isOpen = false;

const opened = open();
const ready = opened.then(() => undefined);
const result = opened.then((open) => download(open));
ready.catch(() => undefined); // `result` rejects with the same
result.then(showResult, (error: unknown) =>
  notice.show(error instanceof Error ? error.message : String(error), "download"),
);

publish({
  ready,
  result,
  snapshot,
  records: () => ({ ...NO_FILM, stamps: stamps.records(), estimates }),
});
watchNews(estimate, record);
setInterval(show, READOUT_INTERVAL_MS);

const NO_FILM = { switches: [], stalls: [], segments: [] };

async function open(): Promise<WorkerSession> {
  if (!("WebTransport" in globalThis)) {
    const page = { isSecure: isSecureContext, origin: location.origin, userAgent: navigator.userAgent };
    throw new Error(noWebTransportNotice(page, "there is nothing to measure"));
  }
  const config = await fetchServerConfig();
  choices = readChoices(new URLSearchParams(location.search), config);
  const parameters = sessionParameters(choices, config);
  const policy = policyFilesOf(policySource(config), parameters.scheme, location.href);
  const session = openWorkerSession({
    ...(await fetchMediaServer()),
    parameters,
    policy,
    onMeasured: (newest, newStamps) => {
      stamps.append(newStamps);
      estimate.value = newest;
    },
  });
  void session.closed.then((error) => {
    isOpen = false;
    if (error !== null) {
      notice.show(error.message, "session");
    }
  });
  await session.ready;
  isOpen = true;
  elementById("title", HTMLElement).textContent = `${bytesWanted() / 1e6} MB under ${choices.scheme}`;
  return session;
}

function bytesWanted(): number {
  const text = new URLSearchParams(location.search).get("bytes");
  const bytes = text === null ? DEFAULT_BYTES : Number(text);
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > MAXIMUM_BYTES) {
    throw new Error(`bytes must be a whole number from 1 to ${MAXIMUM_BYTES}, not ${text}.`);
  }
  return bytes;
}

async function download(open: WorkerSession): Promise<BulkResult> {
  const bytes = bytesWanted();
  const startedAtMs = epochMs();
  let firstByteAtMs: number | null = null;
  progress.max = bytes;
  const { head, bodyBytes, endedAtMs } = await open.request({
    path: `generated/${bytes}`,
    discardBody: true,
    onProgress: ({ loadedBytes, atMs }) => {
      firstByteAtMs ??= atMs;
      receivedBytes = loadedBytes;
    },
  });
  if (head.reason !== null || firstByteAtMs === null) {
    throw new Error(`The media server answered ${head.status}: ${head.reason ?? "no bytes"}.`);
  }
  const megabitsPerSecond = (8 * bodyBytes) / 1000 / (endedAtMs - firstByteAtMs);
  return { bytes: bodyBytes, startedAtMs, firstByteAtMs, endedAtMs, megabitsPerSecond };
}

function showResult({ bytes, startedAtMs, endedAtMs, megabitsPerSecond }: BulkResult): void {
  const seconds = ((endedAtMs - startedAtMs) / 1000).toFixed(2);
  outcome.textContent = `${bytes / 1e6} MB in ${seconds} s: ${megabitsPerSecond.toFixed(2)} Mbit/s`;
}

function record(newest: NetworkEstimate): void {
  appendBounded(estimates, {
    atMs: newest.atMs,
    receiverBitsPerSecond: newest.bandwidthBitsPerSecond,
    dashjsBitsPerSecond: null,
    deliveredBitsPerSecond: newest.deliveredBitsPerSecond,
    bufferSeconds: 0,
    queueingDelayMs: newest.queueingDelaySeconds * 1000,
    hostLateMs: newest.hostLateSeconds * 1000,
  });
}

function show(): void {
  const now = snapshot();
  progress.value = receivedBytes; // not as bytes come: each change paints
  showReadout(document, now);
  const sentence = policySentence(now.estimate?.policy ?? null, "The scheme");
  if (sentence !== null) {
    notice.show(sentence, "policy");
  }
}

function snapshot(): Snapshot {
  return {
    atMs: epochMs(),
    openedAtMs: performance.timeOrigin,
    firstFrameAtMs: null,
    crossOriginIsolated,
    choices,
    session: isOpen ? "open" : null,
    notice: notice.text,
    failure: null,
    video: null,
    estimate: estimate.value,
    dashjsBitsPerSecond: null,
    playedBitsPerSecond: null,
    bufferSeconds: 0,
    currentSeconds: 0,
    isPaused: true,
    stallCount: 0,
    stalledMs: 0,
    path: null,
    qoe: null,
    link: null,
  };
}
