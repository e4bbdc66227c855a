/** Side by side: two films, two sets of choices, the same emulated link, one clock. */

import { ChartHistory } from "../charts/chart-history.ts";
import {
  COMPARISON_CHARTS,
  COMPARISON_COLUMNS,
  COMPARISON_PEAKS,
  type ComparisonColumn,
  SIDES,
  type Side,
  sideOf,
} from "../charts/comparison-charts.ts";
import { LiveCharts } from "../charts/live-charts.ts";
import type { Mark } from "../charts/marks.ts";
import { SessionRows } from "../downloads/session-rows.ts";
import type { FilmConfig } from "../options/server-config.ts";
import { CommonPlay } from "./comparison/common-play.ts";
import type { ComparisonControls } from "./comparison/comparison-controls.ts";
import { comparisonLinkPanel, emulateLink } from "./comparison/comparison-link.ts";
import { type BothSnapshots, comparisonRow } from "./comparison/comparison-row.ts";
import { sideNames } from "./comparison/side-names.ts";
import { SideView } from "./comparison/side-view.ts";
import { chartControlElements, showsCharts } from "./controls/chart-control-elements.ts";
import { toggleFullScreen } from "./controls/viewer-actions.ts";
import { queryNow, showQuery } from "./dom/address-bar.ts";
import { elementById, setText } from "./dom/elements.ts";
import { keepInLinks } from "./dom/keep-in-links.ts";
import { tellLostParts } from "./dom/lost-parts.ts";
import { Notice } from "./dom/notice.ts";
import { startPageLoop } from "./dom/page-loop.ts";
import { fetchServerConfig } from "./fetch-config.ts";
import { FilmSide } from "./film/film-side.ts";
import { loadDashjs } from "./film/load-dashjs.ts";
import { capacityOf } from "./link/link-capacity.ts";
import type { LinkChange, LinkPanel } from "./link/link-panel.ts";
import { FilmMenu } from "./menus/film-menu.ts";
import { offerChoices } from "./menus/pickers.ts";
import { epochMs, publish, type Snapshot } from "./nuwa-stream.ts";
import { withChosenFilm } from "./query/choices.ts";
import {
  parameterMistake,
  readShared,
  readSide,
  remedyOf,
  toldMistake,
  toldMistakes,
} from "./query/query-mistakes.ts";
import { sideQuery, unknownComparisonParameters, withSide } from "./query/side-query.ts";
import { LateHost } from "./words/late-host.ts";
import { tellReports } from "./words/reports-note.ts";
import { FILM_MEASURES, scoreRows } from "./words/score.ts";
import { ScoreTable } from "./words/score-table.ts";
import { comparisonSentence } from "./words/sentences.ts";
import { Summary } from "./words/summary.ts";
import { capitalise, clockText } from "./words/units.ts";
import "./styles/compare.css";

const configuration = fetchServerConfig();
const dashjs = loadDashjs();
const query = queryNow();
const notice = new Notice(elementById("notice", HTMLElement));
tellLostParts(notice);
const play = elementById("play", HTMLButtonElement);
const again = elementById("again", HTMLButtonElement);
const full = elementById("full", HTMLButtonElement);
const score = new ScoreTable(elementById("score", HTMLElement));
const summary = new Summary();
const lateHost = new LateHost();
const rows = [new SessionRows(), new SessionRows()] as const;
const history = new ChartHistory<ComparisonColumn>(COMPARISON_COLUMNS, COMPARISON_PEAKS);
let names: readonly [string, string] = ["left", "right"];
let sampled: BothSnapshots | null = null;

let linkPanel: LinkPanel | null = null;
let controls: ComparisonControls | null = null;

const left = makeSide("left", 0);
const right = makeSide("right", 1);
const sides = [left, right] as const;
const both = new CommonPlay({
  films: sides.map(({ film, view: { video } }) => ({
    video,
    begin: () => {
      film.beginNow();
      film.playback?.start().catch((error: unknown) => film.fail(String(error)));
    },
    onFailure: (sentence) => film.fail(sentence),
  })),
  button: play,
  nowMs: epochMs,
  onPlaying: () => {
    notice.clear("autoplay");
    notice.clear("choices");
  },
});
const ready = Promise.all(sides.map(({ film }) => film.ready)).then(() => undefined);
publish({ ready, sides: [left.film, right.film] });

const charts = showsCharts(query)
  ? new LiveCharts<ComparisonColumn>({
      root: elementById("charts", HTMLElement),
      specs: COMPARISON_CHARTS,
      history,
      bands: () => [...left.film.bands(0), ...right.film.bands(1)],
      marks,
      controls: chartControlElements(),
      summaryId: "summary",
    })
  : null;
run().catch(async (error: unknown) => {
  const sentence = await toldMistake(error);
  for (const { film } of sides) {
    film.fail(sentence, remedyOf(error));
  }
});
startPageLoop({ sample, draw });

/** Of each film's choices, and of the link, which both are told of, once. */
function marks(): Mark[] {
  const ofRight = right.film.marks(1).filter(({ side }) => side !== null);
  return [...left.film.marks(0), ...ofRight].sort((one, other) => one.atSeconds - other.atSeconds);
}

function makeSide(name: Side, lane: 0 | 1) {
  const view = new SideView(name, elementById("sides", HTMLElement));
  const film = new FilmSide({
    video: view.video,
    notice,
    dashjs,
    lane,
    link: () => linkPanel?.link ?? null,
    onAutoplayRefused: () => {
      both.refuse();
      for (const side of sides) {
        side.film.playback?.waitForViewer();
      }
      notice.show(
        `The browser does not let the films start by themselves; press “${play.textContent}”.`,
        "autoplay",
      );
    },
  });
  return { name, view, film };
}

async function run(): Promise<void> {
  const offered = await configuration;
  const onRemoved = (sentence: string): void => left.film.fail(sentence, null); // once for both
  new FilmMenu({ config: offered, query, notice, onRemoved });
  keepInLinks(query);
  const config = withChosenFilm(query, offered);
  setText("title", config.film.title);
  const unknown = unknownComparisonParameters(query);
  if (unknown !== null) {
    notice.show(await parameterMistake(unknown), "query");
  }
  const shared = toldMistakes(await readShared(query));
  const mistakes = shared === null ? [] : [shared];
  for (const { name, view, film } of sides) {
    const read = await readSide(sideQuery(query, name, config.schemes), config);
    const playback = film.prepare(config, read.result.choices, read.result.wishes);
    const mistake = toldMistakes(read);
    view.title(playback.choices, config);
    mistakes.push(...(mistake === null ? [] : [`${capitalise(name)}: ${mistake}`]));
  }
  tellReports(
    config,
    sides.flatMap(({ film }) => film.playback ?? []),
  );
  nameSides(config);
  const onLink = (change: LinkChange): void => {
    for (const { film } of sides) {
      film.onLink(change);
    }
  };
  linkPanel = comparisonLinkPanel({ config, notice, onLink });
  await emulateLink(linkPanel, query, { config, notice });
  offer(config);
  furnish(config).catch((error: unknown) => notice.show(String(error), "page"));
  if (mistakes.length > 0) {
    notice.insist(`${mistakes.join(" ")} Start both plays what is chosen here.`, "choices", null);
    return;
  }
  const wantsCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (query.get("autoplay") !== "0" && !wantsCalm) {
    both.start();
  }
}

/** Charts and controls once either film shows: one that never begins is told by its own notice. */
async function furnish(config: FilmConfig): Promise<void> {
  await Promise.race(sides.map(({ film }) => film.shown));
  try {
    await charts?.load();
  } finally {
    await control(config);
  }
}

/** What a viewer does with the films. */
async function control(config: FilmConfig): Promise<void> {
  const { ComparisonControls } = await import("./comparison/comparison-controls.ts");
  const controlled = ({ name, film, view }: typeof left, place: 0 | 1) => ({
    ...{ name, film, video: view.video },
    rows: rows[place],
  });
  controls = new ComparisonControls({
    sides: [controlled(left, 0), controlled(right, 1)],
    config,
    names: () => names,
    togglePlay: () => both.toggle(),
    notice,
    drawAll: async () => charts?.drawAll(),
  });
}

/** Legends and score say what is compared. */
function nameSides(config: FilmConfig): void {
  const [ofLeft, ofRight] = sides.map(({ film }) => film.playback?.choices);
  if (ofLeft === undefined || ofRight === undefined) {
    return;
  }
  names = sideNames(ofLeft, ofRight, config);
  const nameOf: Readonly<Record<Side, string>> = { left: names[0], right: names[1] };
  for (const side of SIDES) {
    setText(`${side}-name`, nameOf[side]);
    setText(`${side}-band-name`, nameOf[side]);
  }
  charts?.rename((series) => {
    const side = sideOf(series);
    return side === null ? series.label : nameOf[side];
  });
}

function offer(config: FilmConfig): void {
  for (const { name, view, film } of sides) {
    const chosen = film.playback?.choices;
    if (chosen === undefined) {
      continue;
    }
    const onChange = (changes: Parameters<FilmSide["change"]>[0]): void => {
      notice.clear("query");
      notice.clear("choices");
      film.change(changes);
      for (const side of sides) {
        side.film.countAnew(); // both: the score is of the same time
      }
      const choices = film.playback?.choices ?? chosen;
      view.title(choices, config);
      nameSides(config);
      const wishes = film.playback?.wishes;
      showQuery(withSide(queryNow(), name, choices, wishes));
    };
    offerChoices({ prefix: `${name}-`, config, chosen, onChange });
  }
  play.disabled = false;
  again.disabled = false;
}

again.addEventListener("click", () => location.reload());
full.hidden = !document.fullscreenEnabled;
full.addEventListener("click", () => {
  toggleFullScreen(document.documentElement).catch((error: unknown) =>
    notice.show(`The browser shows no full screen: ${String(error)}.`, "page"),
  );
});
document.addEventListener("fullscreenchange", () => {
  full.textContent = document.fullscreenElement === null ? "Full screen" : "Leave full screen";
});

function sample(): void {
  for (const { film } of sides) {
    film.tick();
  }
  const snapshots = takeSnapshots();
  history.add(snapshots[0].atMs / 1000, comparisonRow(snapshots, sampled));
  for (const [place, snapshot] of snapshots.entries()) {
    rows[place]?.add(snapshot, capacityOf(snapshot));
  }
  sampled = snapshots;
  lateHost.add(
    snapshots[0].atMs,
    snapshots.map(({ estimate }) => estimate),
  );
  charts?.stand(
    snapshots.every(({ isPaused, currentSeconds }) => isPaused && currentSeconds > 0),
    snapshots[0].atMs / 1000,
  );
}

function draw(): void {
  const snapshots = takeSnapshots();
  const nowMs = snapshots[0].atMs;
  charts?.draw(nowMs / 1000);
  show(snapshots, nowMs);
}

function takeSnapshots() {
  return [left.film.snapshot(), right.film.snapshot()] as const;
}

function show(
  snapshots: readonly [ReturnType<FilmSide["snapshot"]>, ReturnType<FilmSide["snapshot"]>],
  nowMs: number,
): void {
  for (const [place, { view, film }] of sides.entries()) {
    const snapshot = snapshots[place === 0 ? 0 : 1];
    view.show(snapshot, film.isStalled(), both.isWaiting);
  }
  const scoreOf = ({ film }: typeof left, { qoe }: Snapshot) => ({
    qoe,
    queueingDelayMs: film.queueingDelayMs(),
  });
  score.show(scoreRows(FILM_MEASURES, scoreOf(left, snapshots[0]), scoreOf(right, snapshots[1])));
  setText("clock", both.tick());
  controls?.show();
  const sinceMs = snapshots[0].qoe?.sinceMs ?? null;
  setText(
    "score-heading",
    sinceMs === null ? "The score so far" : `The score since the change ${clockText(nowMs - sinceMs)} ago`,
  );
  setText("late", lateHost.text ?? "");
  summary.tick(() => comparisonSentence(snapshots, names));
}
