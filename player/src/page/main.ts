/** The page: the film, the pickers and the live read-out. */

import type { DashjsModule } from "../dash/dashjs-internals.ts";
import type { SessionState } from "../receiver/receiver-keeper.ts";
import { RULES } from "../rules/registry.ts";
import { BadChoice, type Choices, readChoices, toQuery } from "./choices.ts";
import { elementById, fillPicker } from "./elements.ts";
import { noWebTransportNotice } from "./no-webtransport.ts";
import { Notice } from "./notice.ts";
import { epochMs, publish, type Records, type Snapshot } from "./nuwa-stream.ts";
import { Playback } from "./playback.ts";
import { showReadout } from "./readout.ts";
import { fetchServerConfig, type ServerConfig, StalePage } from "./server-config.ts";
import "./page.css";

const READOUT_INTERVAL_MS = 200;
const OVER_HTTP = "the film comes over HTTP and the receiver does not control congestion";

// Both at once: neither needs the other before the player is made.
const configuration = fetchServerConfig();
const dashjs = import("dashjs").then((module) => module as unknown as DashjsModule);

const video = elementById("film", HTMLVideoElement);
const unmute = elementById("unmute", HTMLButtonElement);
const notice = new Notice(elementById("notice", HTMLElement));

let playback: Playback | null = null;
let session: SessionState["kind"] | null = null;

let rejectReady: (reason: Error) => void = () => undefined;
const ready = new Promise<void>((resolve, reject) => {
  rejectReady = reject;
  video.requestVideoFrameCallback(() => resolve());
});
ready.catch(() => undefined); // shown in the notice; whoever waits for it hears of it there
run().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));

publish({ ready, snapshot, records });
setInterval(() => showReadout(document, snapshot()), READOUT_INTERVAL_MS);

async function run(): Promise<void> {
  const config = await configuration;
  preload(config.film.manifestUrl);
  elementById("title", HTMLElement).textContent = config.film.title;
  const { choices, mistake } = choose(config);
  video.muted = choices.muted;
  playback = new Playback({
    dashjs,
    video,
    config,
    choices,
    onSession,
    onError: fail,
    onAutoplayRefused: playMuted,
  });
  if (mistake !== null) {
    offerPickers(config, playback);
    throw mistake;
  }
  const started = playback.start();
  offerPickers(config, playback);
  await started;
}

/** What the query asks for. After a mistake in it nothing is played, but the defaults are there to pick from. */
function choose(config: ServerConfig): { choices: Choices; mistake: BadChoice | null } {
  try {
    return { choices: possible(readChoices(new URLSearchParams(location.search), config)), mistake: null };
  } catch (error) {
    if (!(error instanceof BadChoice)) {
      throw error;
    }
    return { choices: possible(readChoices(new URLSearchParams(), config)), mistake: error };
  }
}

/** HTTP instead of a WebTransport that is not there, with a notice. */
function possible(choices: Choices): Choices {
  if ("WebTransport" in globalThis || choices.transport === "http") {
    return choices;
  }
  notice.show(noWebTransportNotice({ isSecure: isSecureContext, origin: location.origin }, OVER_HTTP));
  return { ...choices, transport: "http", estimator: "dashjs" };
}

/** Fetches the manifest while the player's code is still on its way. */
function preload(href: string): void {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "fetch", href, crossOrigin: "anonymous" });
  document.head.append(link);
}

function offerPickers(config: ServerConfig, current: Playback): void {
  const change = (changes: Partial<Choices>): void => {
    notice.clear();
    const choices = { ...current.choices, ...changes };
    history.replaceState(null, "", `?${toQuery(new URLSearchParams(location.search), choices)}`);
    current.change(choices).catch((error: unknown) => fail(String(error)));
  };
  const { scheme, preset, rule, estimator } = current.choices;
  const picker = (id: string): HTMLSelectElement => elementById(id, HTMLSelectElement);
  fillPicker(picker("scheme"), config.schemes, scheme, (name) => change({ scheme: name }));
  fillPicker(picker("preset"), config.presets, preset, (name) =>
    change({ preset: name, k: null, targetDelayMs: null }),
  );
  fillPicker(picker("rule"), RULES, rule, (name) => {
    const chosen = RULES.find((entry) => entry.name === name);
    if (chosen !== undefined) {
      change({ rule: chosen.name });
    }
  });
  fillPicker(picker("estimator"), ESTIMATORS, estimator, (name) =>
    change({ estimator: name === "dashjs" ? "dashjs" : "nuwa" }),
  );
}

const ESTIMATORS = [
  { name: "nuwa", title: "Receiver's", summary: "What the receiver measures of the network itself." },
  { name: "dashjs", title: "dash.js's own", summary: "A mean of past download times." },
] as const;

function onSession(state: SessionState): void {
  session = state.kind;
  switch (state.kind) {
    case "open":
      notice.clear();
      break;
    case "lost":
      notice.show(
        state.error instanceof StalePage
          ? state.error.message
          : `${capitalise(state.error.message.replace(/\.$/, ""))}; trying again.`,
      );
      break;
    case "refused":
      notice.show(`The media server refuses the session: ${state.error.message.replace(/\.$/, "")}.`);
      rejectReady(state.error);
      break;
    case "opening":
      break;
  }
}

/** Browsers let a page play by itself only without sound, some not at all: then the film's own button remains. */
function playMuted(): void {
  if (video.muted) {
    notice.show("The browser does not let the film start by itself; press play.");
    return;
  }
  video.muted = true;
  unmute.hidden = false;
  video.play().catch(() => notice.show("The browser does not let the film start by itself; press play."));
}

unmute.addEventListener("click", () => {
  video.muted = false;
});
video.addEventListener("volumechange", () => {
  if (!video.muted) {
    unmute.hidden = true;
  }
});

/** The film cannot go on. A refused session is the cause of whatever fails after it, so its sentence stays. */
function fail(message: string): void {
  if (session !== "refused") {
    notice.show(message);
  }
  rejectReady(new Error(message));
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function snapshot(): Snapshot {
  const stalls = playback?.stalls() ?? [];
  return {
    atMs: epochMs(),
    openedAtMs: performance.timeOrigin,
    firstFrameAtMs: playback?.firstFrameAtMs() ?? null,
    crossOriginIsolated,
    choices: playback?.choices ?? null,
    session,
    notice: notice.text,
    estimate: playback?.estimate() ?? null,
    dashjsBitsPerSecond: playback?.dashjsBitsPerSecond() ?? null,
    playedBitsPerSecond: playback?.playedBitsPerSecond() ?? null,
    bufferSeconds: playback?.bufferSeconds() ?? 0,
    currentSeconds: video.currentTime,
    isPaused: video.paused,
    stallCount: stalls.length,
    stalledMs: stalls.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

function records(): Records {
  return playback?.records() ?? { stamps: [], estimates: [], switches: [], stalls: [], segments: [] };
}
