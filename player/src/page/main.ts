/** The page: the film, the pickers, live charts and what they say in words. */

import { ChartHistory } from "../charts/chart-history.ts";
import { FILM_CHARTS, FILM_COLUMNS, FILM_PEAKS, type FilmColumn } from "../charts/film-charts.ts";
import { LiveCharts } from "../charts/live-charts.ts";
import { SessionRows } from "../downloads/session-rows.ts";
import type { FilmConfig, LinkState } from "../options/server-config.ts";
import { chartControlElements, showsCharts } from "./controls/chart-control-elements.ts";
import type { FilmControls } from "./controls/film-controls.ts";
import { queryNow, showQuery } from "./dom/address-bar.ts";
import { elementById, setText } from "./dom/elements.ts";
import { hideWithFocus } from "./dom/keep-focus.ts";
import { keepInLinks } from "./dom/keep-in-links.ts";
import { tellLostParts } from "./dom/lost-parts.ts";
import { Notice } from "./dom/notice.ts";
import { startPageLoop } from "./dom/page-loop.ts";
import { nextTask, painted } from "./dom/painted.ts";
import { UnfoldingText } from "./dom/unfolding-text.ts";
import { fetchServerConfig } from "./fetch-config.ts";
import { filmRow } from "./film/film-row.ts";
import { FilmSide } from "./film/film-side.ts";
import { play } from "./film/go-on.ts";
import { loadDashjs } from "./film/load-dashjs.ts";
import type { Playback } from "./film/playback.ts";
import { preloadManifest } from "./film/preload-manifest.ts";
import { capacityOf } from "./link/link-capacity.ts";
import { LinkPanel } from "./link/link-panel.ts";
import { offerDrop } from "./menus/film-drop.ts";
import { FilmMenu } from "./menus/film-menu.ts";
import { offerChoices } from "./menus/pickers.ts";
import { publish, type Snapshot } from "./nuwa-stream.ts";
import { type Choices, toQuery, withChosenFilm } from "./query/choices.ts";
import type { Corrected } from "./query/corrected-query.ts";
import { linkFromQuery, unknownLink, withLink } from "./query/link-query.ts";
import { unknownParameters } from "./query/parameters.ts";
import {
  linkMistake,
  parameterMistake,
  readQuery,
  remedyOf,
  toldMistake,
  toldMistakes,
} from "./query/query-mistakes.ts";
import { LateHost } from "./words/late-host.ts";
import { MeasureAge } from "./words/measure-age.ts";
import { showReadout } from "./words/readout.ts";
import { tellReports } from "./words/reports-note.ts";
import { pathSentence, qoeSentences, summarySentence, switchSentence } from "./words/sentences.ts";
import { Summary } from "./words/summary.ts";
import "./styles/page.css";

const PRESS_PLAY = "The browser does not let the film start by itself; press play.";

const configuration = fetchServerConfig();
const dashjs = loadDashjs();

const video = elementById("film", HTMLVideoElement);
const unmute = elementById("unmute", HTMLButtonElement);
const values = elementById("values", HTMLDetailsElement);
const pathText = new UnfoldingText(
  elementById("path-text", HTMLElement),
  elementById("path-unfold", HTMLButtonElement),
);
const notice = new Notice(elementById("notice", HTMLElement));
tellLostParts(notice);
const query = queryNow();
const history = new ChartHistory<FilmColumn>(FILM_COLUMNS, FILM_PEAKS);
let sampled: Snapshot | null = null;

const summary = new Summary();
const lateHost = new LateHost();
const measureAge = new MeasureAge();
const rows = new SessionRows();

let linkPanel: LinkPanel | null = null;
let isLinkShared = false;
/** After a mistake in the query the film waits for somebody to say what is meant. */
let isWaitingForChoice = false;
const side = new FilmSide({
  video,
  notice,
  dashjs,
  lane: 0,
  link: () => linkPanel?.link ?? null,
  onAutoplayRefused: playMuted,
});
publish(side);
let charts: LiveCharts<FilmColumn> | null = null;
let controls: FilmControls | null = null;
const framed = showsCharts(query) ? frameCharts() : Promise.resolve();
run().catch(async (error: unknown) => side.fail(await toldMistake(error), remedyOf(error)));

startPageLoop({ sample, draw });

async function run(): Promise<void> {
  const offered = await configuration;
  new FilmMenu({ config: offered, query, notice, onRemoved: (sentence) => side.fail(sentence, null) });
  keepInLinks(query);
  offerDrop(offered, notice);
  const config = withChosenFilm(query, offered);
  ({ isLinkShared } = config);
  preloadManifest(config.film.manifestUrl, (sentence) => side.fail(sentence));
  setText("title", config.film.title);
  const unknown = unknownParameters(query);
  if (unknown !== null) {
    notice.show(await parameterMistake(unknown), "query");
  }
  const corrected = await readQuery(query, config);
  const { choices, wishes } = corrected.result;
  const playback = side.prepare(config, choices, wishes);
  tellReports(config, [playback]);
  furnish(config, playback).catch((error: unknown) => notice.show(String(error), "page"));
  if (corrected.mistakes.length > 0) {
    offer(config, playback);
    await refuse(corrected);
    return;
  }
  const noLink = unknownLink(query, config);
  const link = noLink === null ? linkFromQuery(query, config) : null;
  if (noLink !== null) {
    offer(config, playback);
    notice.show(await linkMistake(noLink, config), "link");
    rememberLink(config.link, false);
    await playback.start();
  } else if (link !== null) {
    offer(config, playback);
    await linkPanel?.ask(link);
    await playback.start();
  } else {
    const started = playback.start();
    await nextTask(); // the pickers, which nobody needs at once, in one of their own
    offer(config, playback);
    await started;
  }
}

/** Charts and controls once the film shows, whatever failed before, or had to be chosen first. */
async function furnish(config: FilmConfig, playback: Playback): Promise<void> {
  await side.shown;
  await framed;
  try {
    await charts?.load();
  } finally {
    await control(config, playback);
  }
}

/** What a viewer does with the film. */
async function control(config: FilmConfig, playback: Playback): Promise<void> {
  const { FilmControls } = await import("./controls/film-controls.ts");
  const drawAll = async (): Promise<void> => charts?.drawAll();
  controls = new FilmControls({ side, playback, video, config, rows, notice, drawAll });
}

/** Frames and legends, with room for what is drawn into them once the film shows. */
async function frameCharts(): Promise<void> {
  await painted();
  await nextTask();
  charts = new LiveCharts<FilmColumn>({
    root: elementById("charts", HTMLElement),
    specs: FILM_CHARTS,
    history,
    bands: () => side.bands(null),
    marks: () => side.marks(null),
    controls: chartControlElements(),
    summaryId: "summary",
  });
}

/** After a mistake in the query nothing is played that nobody asked for, until somebody does. */
async function refuse(corrected: Corrected<unknown>): Promise<void> {
  const { insteadText } = await import("./query/corrected-query.ts");
  isWaitingForChoice = true;
  const action = { label: insteadText(corrected.mistakes), act: () => choose({}) };
  side.fail(toldMistakes(corrected) ?? "", action);
}

function offer(config: FilmConfig, playback: Playback): void {
  offerChoices({
    config,
    chosen: playback.choices,
    onChange: choose,
  });
  showLinkWords(config.link);
  linkPanel = new LinkPanel({
    config,
    onRefused: (sentence, link, action) => {
      notice.show(sentence, "link", action);
      rememberLink(link, false);
    },
    onLink: (change) => {
      if (change.isSettled) {
        notice.clear("link");
      }
      rememberLink(change.link, change.isOwn);
      showLinkWords(change.link);
      side.onLink(change);
    },
  });
}

/** Without an emulated link the charts have no grey area. */
function showLinkWords(link: LinkState | null): void {
  elementById("grey-area", HTMLElement).hidden = link === null;
}

/** Takes what was picked; after a mistake in the query that starts the film. */
function choose(changes: Partial<Choices>): void {
  const { playback } = side;
  if (playback === null) {
    return;
  }
  notice.clear("query");
  side.change(changes);
  if (isWaitingForChoice) {
    isWaitingForChoice = false;
    side.beginNow();
    playback.start().catch((error: unknown) => side.fail(String(error)));
  }
  showQuery(toQuery(queryNow(), playback.choices));
}

function rememberLink(link: LinkState | null, isOwn: boolean): void {
  showQuery(withLink(queryNow(), link, isOwn));
}

/** Browsers let a page play by itself only without sound, some not at all: then the film's own button remains. */
function playMuted(): void {
  if (video.muted) {
    askToPlay();
    return;
  }
  video.muted = true;
  unmute.hidden = false;
  play(video).catch(askToPlay);
}

function askToPlay(): void {
  side.playback?.waitForViewer();
  notice.show(PRESS_PLAY, "autoplay");
}

unmute.addEventListener("click", () => {
  video.muted = false;
});
video.addEventListener("playing", () => notice.clear("autoplay"));
video.addEventListener("volumechange", () => {
  if (!video.muted) {
    hideWithFocus(unmute);
  }
});

function sample(): void {
  side.tick();
  const snapshot = side.snapshot();
  history.add(snapshot.atMs / 1000, filmRow(snapshot, sampled));
  sampled = snapshot;
  rows.add(snapshot, capacityOf(snapshot));
  lateHost.add(snapshot.atMs, [snapshot.estimate]);
  measureAge.add(snapshot);
  charts?.stand(snapshot.isPaused && snapshot.currentSeconds > 0, snapshot.atMs / 1000);
}

function draw(): void {
  const snapshot = side.snapshot();
  charts?.draw(snapshot.atMs / 1000);
  show(snapshot);
}

function show(snapshot: Snapshot): void {
  controls?.show(snapshot);
  const keyNumbers = elementById("key-numbers", HTMLElement);
  keyNumbers.classList.toggle("held", measureAge.isHeld(snapshot.atMs));
  showReadout(keyNumbers, measureAge.current(snapshot));
  if (values.open) {
    showReadout(values, snapshot);
  }
  const path = elementById("path", HTMLElement);
  path.dataset.kind = snapshot.path?.kind ?? "connecting";
  pathText.show(pathSentence(snapshot, isLinkShared));
  setText("late", lateHost.text ?? "");
  setText("last-switch", switchSentence(side.playback?.lastSwitch() ?? null));
  if (snapshot.qoe !== null) {
    setText("qoe", qoeSentences(snapshot.qoe, side.wholeQuality(), snapshot.atMs));
  }
  summary.tick(() => summarySentence(snapshot));
}
