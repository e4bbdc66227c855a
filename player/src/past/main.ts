/** One finished session beside another: what the server kept of them, over the time since the start of each. */

import type { Band } from "../charts/bands.ts";
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
import { ELAPSED } from "../charts/scale.ts";
import { queryNow, showQuery } from "../page/dom/address-bar.ts";
import { elementById, setText } from "../page/dom/elements.ts";
import { keepInLinks } from "../page/dom/keep-in-links.ts";
import { Notice } from "../page/dom/notice.ts";
import { fetchServerConfig } from "../page/fetch-config.ts";
import { parameterMistake } from "../page/query/query-mistakes.ts";
import { scoreRows } from "../page/words/score.ts";
import { ScoreTable } from "../page/words/score-table.ts";
import { bothRows } from "./both-rows.ts";
import { chosenSessions, unknownSessionParameters } from "./chosen-sessions.ts";
import { SessionActions } from "./session-actions.ts";
import { fetchEvents, fetchSessions, type SessionSummary } from "./session-api.ts";
import { SESSION_MEASURES } from "./session-measures.ts";
import { SessionNames } from "./session-names.ts";
import { SessionReads } from "./session-reads.ts";
import { sessionSentence } from "./session-sentence.ts";
import { sessionSeries } from "./session-series.ts";
import { fillSessionTable, sideTitle } from "./session-table.ts";
import "../page/styles/past.css";

const notice = new Notice(elementById("notice", HTMLElement));
const score = new ScoreTable(elementById("score", HTMLElement));
const reads = new SessionReads(async (sid) => sessionSeries(await fetchEvents(sid)));
const actions = new SessionActions({
  sid: (side) => chosen[side],
  confirm: (question) => confirm(question),
  onErased: forget,
  onFailure: tell,
});
let sessions: readonly SessionSummary[] = [];
let chosen: Readonly<Record<Side, string | null>> = { left: null, right: null };
let names = new SessionNames({ schemes: [], schemesNotOffered: [], presets: [] });
let history = emptyHistory();

const charts = new LiveCharts<ComparisonColumn>({
  root: elementById("charts", HTMLElement),
  // A link is not reported.
  specs: COMPARISON_CHARTS.map((spec) => ({
    ...spec,
    series: spec.series.filter(({ column }) => column !== "capacity"),
  })),
  get history() {
    return history; // another for each choice
  },
  bands,
  marks,
  controls: { span: null, pause: null, reading: elementById("reading", HTMLInputElement) },
  timeAxis: ELAPSED,
  summaryId: "summary",
});

keepInLinks(queryNow());
run().catch((error: unknown) => notice.insist(sentenceOf(error), "sessions", null));

async function run(): Promise<void> {
  const mistyped = unknownSessionParameters(queryNow());
  if (mistyped !== null) {
    notice.show(await parameterMistake(mistyped), "parameters");
  }
  names = new SessionNames(await fetchServerConfig());
  sessions = await fetchSessions();
  if (sessions.length === 0) {
    elementById("empty", HTMLElement).hidden = false;
    return;
  }
  for (const id of ["seen", "did", "since"]) {
    elementById(id, HTMLElement).hidden = false;
  }
  const { sids, unknown } = chosenSessions(queryNow(), sessions);
  chosen = sids;
  if (unknown !== null) {
    notice.show(`The server has no session ${unknown}, or not among its newest ${sessions.length}.`, "query");
  }
  fillSessionTable(elementById("sessions", HTMLTableElement), {
    ...{ sessions, names, chosen },
    onChosen: (side, sid) => choose(side, sid).catch(tell),
  });
  await charts.load();
  await Promise.all(SIDES.map((side) => read(side)));
}

async function choose(side: Side, sid: string): Promise<void> {
  notice.clear("query");
  chosen = { ...chosen, [side]: sid };
  const query = queryNow();
  query.set(side, sid);
  showQuery(query);
  await read(side);
}

/** Shows a side's session as soon as it is read; of one that cannot be, its name, and a sentence says why. */
async function read(side: Side): Promise<void> {
  notice.clear(side);
  const sid = chosen[side];
  const reading = sid === null ? null : reads.read(side, sid);
  show();
  const failure = await reading;
  show();
  if (failure !== null) {
    notice.show(`${sideTitle(side)}: ${failure}`, side);
  }
}

function show(): void {
  const [left, right] = [chosenOf("left"), chosenOf("right")];
  const titles = names.pair(left, right);
  for (const side of SIDES) {
    setText(`${side}-name`, titles[side]);
    setText(`${side}-band-name`, titles[side]);
  }
  const measured = scoreRows(SESSION_MEASURES, left, right);
  score.show(measured);
  actions.show(titles);
  charts.rename((line) => {
    const side = sideOf(line);
    return side === null ? line.label : titles[side];
  });
  history = emptyHistory();
  const rows = bothRows(reads.series);
  for (const { atSeconds, row } of rows) {
    history.add(atSeconds, row);
  }
  charts.draw(Math.max(ELAPSED.leastSpanSeconds, rows.at(-1)?.atSeconds ?? 0)); // nothing is before the start
  const sentences = SIDES.filter((side) => chosen[side] !== null).map((side) =>
    sessionSentence({
      ...{ name: `${sideTitle(side)}: ${titles[side]}`, rows: measured, place: side === "left" ? 0 : 1 },
      series: reads.series[side],
      nameOf: (change) => names.change(change),
    }),
  );
  setText("summary", sentences.join(" "));
}

function bands(): Band[] {
  return SIDES.flatMap((side, place) =>
    (reads.series[side]?.stalls ?? []).map(
      (stall) => ({ ...stall, kind: "stall", side: place === 0 ? 0 : 1 }) as const,
    ),
  );
}

function marks(): Mark[] {
  const all = SIDES.flatMap((side, place) =>
    (reads.series[side]?.changes ?? []).map(
      (change) =>
        ({ atSeconds: change.atSeconds, label: names.change(change), side: place === 0 ? 0 : 1 }) as const,
    ),
  );
  return all.sort((one, other) => one.atSeconds - other.atSeconds);
}

function chosenOf(side: Side): SessionSummary | null {
  return sessions.find(({ sid }) => sid === chosen[side]) ?? null;
}

/** The list is read anew, without the one that was erased. */
function forget(sid: string): void {
  const query = queryNow();
  for (const side of SIDES) {
    if (query.get(side) === sid) query.delete(side);
  }
  location.search = query.toString();
}

function emptyHistory(): ChartHistory<ComparisonColumn> {
  return new ChartHistory(COMPARISON_COLUMNS, COMPARISON_PEAKS);
}

function tell(error: unknown): void {
  notice.show(sentenceOf(error), "page");
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
