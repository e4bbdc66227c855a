import { SIDES, type Side } from "../charts/comparison-charts.ts";
import { clockText, NOTHING } from "../page/words/units.ts";
import type { SessionSummary } from "./session-api.ts";
import type { SessionNames } from "./session-names.ts";

interface Column {
  readonly title: string;
  readonly of: (session: SessionSummary, names: SessionNames) => string;
  readonly isNumber?: boolean;
  /** What a row is called by: no two sessions begin at once. */
  readonly isName?: boolean;
}

const number = (value: number | null, factor: number, digits: number): string =>
  value === null ? NOTHING : (value * factor).toFixed(digits);

/** Whose places have no beginning. */
const isLive = (st: SessionSummary["st"]): boolean => st === "l" || st === "ll";

/** As they are written, by how telemetry spells them. */
const PATHS: Readonly<Record<string, string>> = { webtransport: "WebTransport", http: "HTTP" };

/** What sessions differ by comes first: a phone shows the first columns alone. */
const COLUMNS: readonly Column[] = [
  { title: "Congestion control", of: ({ scheme }, names) => names.scheme(scheme) ?? NOTHING },
  { title: "Rule", of: ({ rule }, names) => names.rule(rule) ?? NOTHING },
  { title: "Began", of: ({ startedAtMs }) => beganText(startedAtMs), isName: true },
  { title: "Film", of: ({ cid }) => cid },
  { title: "Path", of: ({ path }) => (path === null ? NOTHING : (PATHS[path] ?? path)) },
  {
    title: "Played",
    of: ({ playedUntilMs, st }) =>
      playedUntilMs === null || isLive(st) ? NOTHING : clockText(playedUntilMs),
    isNumber: true,
  },
  { title: "Mbit/s", of: ({ meanKbps }) => number(meanKbps, 1e-3, 2), isNumber: true },
  { title: "Stalled, s", of: ({ stalledMs }) => number(stalledMs, 1e-3, 1), isNumber: true },
  { title: "Queue, ms", of: ({ meanQueueingDelayMs }) => number(meanQueueingDelayMs, 1, 0), isNumber: true },
];

export interface SessionTableOptions {
  readonly sessions: readonly SessionSummary[];
  readonly names: SessionNames;
  readonly chosen: Readonly<Record<Side, string | null>>;
  readonly onChosen: (side: Side, sid: string) => void;
}

/** Fills the list of sessions, from which one is chosen for each side. */
export function fillSessionTable(table: HTMLTableElement, options: SessionTableOptions): void {
  table.createTHead().append(headRow());
  table.createTBody().append(...options.sessions.map((session) => rowOf(session, options)));
}

function headRow(): HTMLTableRowElement {
  const row = document.createElement("tr");
  for (const title of SIDES.map(sideTitle)) {
    row.append(headCell(title, false));
  }
  row.append(...COLUMNS.map(({ title, isNumber }) => headCell(title, isNumber === true)));
  return row;
}

function headCell(title: string, isNumber: boolean): HTMLElement {
  const cell = document.createElement("th");
  cell.scope = "col";
  cell.textContent = title;
  cell.classList.toggle("number", isNumber);
  return cell;
}

function rowOf(session: SessionSummary, options: SessionTableOptions): HTMLTableRowElement {
  const row = document.createElement("tr");
  for (const side of SIDES) {
    const cell = document.createElement("td");
    const pressed = document.createElement("label");
    pressed.append(radioOf(side, session, options));
    cell.append(pressed);
    row.append(cell);
  }
  for (const { of, isNumber, isName } of COLUMNS) {
    const cell = document.createElement(isName === true ? "th" : "td");
    if (isName === true) cell.setAttribute("scope", "row");
    cell.textContent = of(session, options.names);
    cell.classList.toggle("number", isNumber === true);
    row.append(cell);
  }
  return row;
}

function radioOf(
  side: Side,
  session: SessionSummary,
  { names, chosen, onChosen }: SessionTableOptions,
): HTMLInputElement {
  const radio = document.createElement("input");
  radio.type = "radio";
  radio.name = side;
  radio.value = session.sid;
  radio.checked = chosen[side] === session.sid;
  const what = `${names.session(session)}, ${beganText(session.startedAtMs)}`;
  radio.setAttribute("aria-label", `${sideTitle(side)}: ${what}`);
  radio.addEventListener("change", () => onChosen(side, session.sid));
  return radio;
}

export const sideTitle = (side: Side): string => (side === "left" ? "Left" : "Right");

function beganText(ms: number): string {
  return new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
}
