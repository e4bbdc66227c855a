import type { ChartSpec } from "./spec.ts";

export const FILM_COLUMNS = [
  "capacity",
  "delivered",
  "receiver",
  "dashjs",
  "delay",
  "target",
  "windowAsked",
  "windowInForce",
  "k",
  "buffer",
  "bitrate",
] as const;
export type FilmColumn = (typeof FILM_COLUMNS)[number];

/** The charts of one film. */
export const FILM_CHARTS: readonly ChartSpec<FilmColumn>[] = [
  {
    name: "bandwidth",
    title: "Bandwidth",
    unit: "Mbit/s",
    leastTop: 2,
    series: [
      { column: "capacity", label: "link", colour: "--series-truth", shape: "area", digits: 1 },
      { column: "delivered", label: "delivered", colour: "--series-quiet", shape: "line", digits: 1 },
      { column: "receiver", label: "receiver", colour: "--series-a", shape: "line", digits: 1 },
      { column: "dashjs", label: "dash.js", colour: "--series-b", shape: "line", dash: [6, 4], digits: 1 },
    ],
  },
  {
    name: "delay",
    title: "Queueing delay",
    unit: "ms",
    leastTop: 20,
    series: [
      { column: "delay", label: "measured", colour: "--series-a", shape: "line", digits: 0 },
      { column: "target", label: "target", colour: "--series-c", shape: "line", dash: [2, 3], digits: 0 },
    ],
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
      },
    ],
  },
  {
    name: "buffer",
    title: "Buffer",
    unit: "s",
    leastTop: 10,
    series: [{ column: "buffer", label: "ahead", colour: "--series-a", shape: "area", digits: 1 }],
  },
  {
    name: "bitrate",
    title: "Bitrate played",
    unit: "Mbit/s",
    leastTop: 2,
    series: [{ column: "bitrate", label: "on screen", colour: "--series-a", shape: "step", digits: 2 }],
  },
];
