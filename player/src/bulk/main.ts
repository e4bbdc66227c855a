/** The download benchmark: N bytes of filler over WebTransport under one scheme; nothing is played. */

import { atom } from "nanostores";
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
import { parameterMistake, toldMistake } from "../page/query/query-mistakes.ts";
import { showReadout } from "../page/words/readout.ts";
import { policySentence } from "../page/words/sentences.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { policyFilesOf } from "../session/policy/policy-files.ts";
import { StampLog } from "../session/stamp-record.ts";
import { watchNews } from "../session/watch.ts";
import { openWorkerSession, type WorkerSession } from "../session/worker-session.ts";
import { bytesWanted, unknownBulkParameters } from "./bulk-query.ts";
import "../page/styles/bulk.css";

const READOUT_INTERVAL_MS = 200;

const query = new URLSearchParams(location.search);
const notice = new Notice(elementById("notice", HTMLElement));
const progress = elementById("progress", HTMLProgressElement);
const outcome = elementById("outcome", HTMLElement);
const estimates: EstimateRecord[] = [];
let receivedBytes = 0;

const stamps = new StampLog();
const estimate = atom<NetworkEstimate | null>(null);

let choices: Choices | null = null;
let isOpen = false;

const opened = open();
const ready = opened.then(() => undefined);
const result = opened.then((open) => download(open));
ready.catch(() => undefined); // `result` rejects with the same
result.then(showResult, async (error: unknown) => notice.insist(await toldMistake(error), "download", null));

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
  const unknown = unknownBulkParameters(query);
  if (unknown !== null) {
    notice.show(await parameterMistake(unknown), "query");
  }
  const config = await fetchServerConfig();
  choices = readChoices(query, config);
  const parameters = sessionParameters(choices, config);
  const policy = policyFilesOf(policySource(config), parameters.scheme, location.href);
  const session = openWorkerSession({
    ...(await fetchMediaServer()),
    parameters,
    policy,
    onMeasured: (newest, newStamps) => {
      stamps.append(newStamps);
      estimate.set(newest);
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
  elementById("title", HTMLElement).textContent = `${bytesWanted(query) / 1e6} MB under ${choices.scheme}`;
  return session;
}

async function download(open: WorkerSession): Promise<BulkResult> {
  const bytes = bytesWanted(query);
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
    notice.showOnce(sentence, "policy");
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
    estimate: estimate.get(),
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
