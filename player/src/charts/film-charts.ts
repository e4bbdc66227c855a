import type { ChartNote, ChartSpec } from "./spec.ts";

export const FILM_COLUMNS = [
  "capacity",
  "delivered",
  "receiver",
  "receiverStale",
  "dashjs",
  "wanted",
  "delay",
  "delayStale",
  "target",
  "windowAsked",
  "windowInForce",
  "k",
  "buffer",
  "bitrate",
] as const;
export type FilmColumn = (typeof FILM_COLUMNS)[number];

/** Of whose values charts of a long time show the highest. */
export const FILM_PEAKS = ["delay"] as const satisfies readonly FilmColumn[];

const WHY_THE_TARGET_MOVES: ChartNote = {
  question: "Why does the target move?",
  answer:
    "The target chosen holds for a window of 64 packets. It falls, down to half, as the window grows, and rises, up to twice, as it " +
    "shrinks: so flows that share a link come to equal shares. Under Kuafu it is the queue that it keeps in reserve: from none " +
    "to the target chosen.",
};

const WHAT_IS_WHAT: ChartNote = {
  question: "Which line is what?",
  answer:
    "The estimate is the receiver’s, of what the link carries, by which the window and the bitrate are chosen. Delivered is what has " +
    "come: less, while little is fetched. Dash.js estimates by whole segments. Wanted, under presets that go by it, is what the " +
    "film’s buffer lets the window carry: the fuller, the less.",
};

/** The charts of one film. */
export const FILM_CHARTS: readonly ChartSpec<FilmColumn>[] = [
  {
    name: "bandwidth",
    number: 1,
    title: "Bandwidth",
    unit: "Mbit/s",
    leastTop: 2,
    ruler: "capacity",
    note: WHAT_IS_WHAT,
    series: [
      { column: "capacity", label: "link", colour: "--series-truth", shape: "area", digits: 1 },
      { column: "delivered", label: "delivered", colour: "--series-quiet", shape: "line", digits: 1 },
      {
        column: "receiver",
        staleColumn: "receiverStale",
        label: "estimate",
        colour: "--series-a",
        shape: "line",
        digits: 1,
      },
      { column: "dashjs", label: "dash.js’s", colour: "--series-b", shape: "line", dash: [6, 4], digits: 1 },
      {
        column: "wanted",
        label: "wanted",
        colour: "--series-c",
        shape: "step",
        dash: [2, 3],
        digits: 1,
        isSeldom: true,
      },
    ],
  },
  {
    name: "delay",
    number: 2,
    title: "Queueing delay",
    unit: "ms, log scale",
    leastTop: 100,
    isLog: true,
    note: WHY_THE_TARGET_MOVES,
    series: [
      {
        column: "delay",
        staleColumn: "delayStale",
        label: "measured",
        colour: "--series-a",
        shape: "line",
        digits: 0,
      },
      { column: "target", label: "target", colour: "--series-c", shape: "line", dash: [2, 3], digits: 0 },
    ],
  },
  {
    name: "bitrate",
    number: 3,
    title: "Bitrate played",
    unit: "Mbit/s",
    leastTop: 2,
    ruler: "bitrate",
    series: [
      {
        column: "capacity",
        label: "link",
        colour: "--series-truth",
        shape: "area",
        digits: 1,
        isSeldom: true,
      },
      { column: "bitrate", label: "on screen", colour: "--series-a", shape: "step", digits: 2 },
    ],
  },
  {
    name: "buffer",
    title: "Buffer",
    unit: "s",
    leastTop: 40,
    series: [{ column: "buffer", label: "ahead", colour: "--series-a", shape: "area", digits: 1 }],
  },
  {
    name: "window",
    title: "Window",
    unit: "kB",
    leastTop: 20,
    rightTop: 10,
    series: [
      {
        column: "windowInForce",
        label: "in force",
        colour: "--series-quiet",
        shape: "step",
        digits: 0,
      },
      { column: "windowAsked", label: "asked for", colour: "--series-a", shape: "line", digits: 0 },
      {
        column: "k",
        label: "k",
        colour: "--series-c",
        shape: "step",
        dash: [2, 3],
        isRight: true,
        digits: 1,
        isSeldom: true,
      },
    ],
  },
];
