import type { Band } from "./bands.ts";
import { type ChartControlElements, ChartControls } from "./chart-controls.ts";
import { ChartFrame } from "./chart-frame.ts";
import type { ChartHistory } from "./chart-history.ts";
import type { ChartPlot } from "./chart-plot.ts";
import { idle } from "./idle.ts";
import type { Mark } from "./marks.ts";
import { fontPixelsNow, Palette } from "./palette.ts";
import { AGES, type TimeAxis } from "./scale.ts";
import type { ChartSpec, SeriesSpec } from "./spec.ts";
import type { Table, Value } from "./table.ts";

export interface LiveChartsOptions<Column extends string> {
  /** Charts go in here. */
  readonly root: HTMLElement;
  readonly specs: readonly ChartSpec<Column>[];
  readonly history: ChartHistory<Column>;
  readonly bands: () => readonly Band[];
  readonly marks: () => readonly Mark[];
  readonly controls: ChartControlElements;
  /** What stands under the charts; ages if not said. */
  readonly timeAxis?: TimeAxis;
  /** Id of the text that says in words what the charts show. */
  readonly summaryId: string;
}

/** In heights of what is written: enough for a second axis, and for half of the word at the end of the first. */
const RIGHT_EM = 24 / 11;

interface Moment<Column extends string> {
  readonly history: ChartHistory<Column>;
  readonly nowSeconds: number;
}

interface Chart<Column extends string> {
  readonly spec: ChartSpec<Column>;
  readonly frame: ChartFrame;
  plot: ChartPlot<Column> | null;
  isVisible: boolean;
}

/**
 * Charts on one axis of time. Frames and legends stand from the beginning; drawing begins with `load` and is done on
 * `draw` alone, for charts that are within the window of a page that is shown.
 */
export class LiveCharts<Column extends string> {
  readonly #options: LiveChartsOptions<Column>;
  readonly #charts: readonly Chart<Column>[];
  readonly #controls: ChartControls;
  readonly #timeAxis: TimeAxis;
  #plotClass: typeof ChartPlot | null = null;
  /** Of what is drawn; null before. */
  #fontPixels: number | null = null;
  #nowSeconds = 0;
  /** What is looked at while the viewer holds the charts. */
  #paused: Moment<Column> | null = null;
  /** What is looked at while the film stands. */
  #standing: Moment<Column> | null = null;
  /** Of these the one that is drawn: the film may come to stand where nobody looks. */
  #drawn: Moment<Column> | null = null;

  constructor(options: LiveChartsOptions<Column>) {
    this.#options = options;
    this.#charts = options.specs.map((spec) => ({
      spec,
      frame: new ChartFrame(spec, options.summaryId),
      plot: null,
      isVisible: false,
    }));
    options.root.append(...this.#charts.map(({ frame }) => frame.figure));
    this.#timeAxis = options.timeAxis ?? AGES;
    this.#controls = new ChartControls(options.controls, this.#timeAxis, {
      redraw: () => this.#redraw(),
      pause: (isPaused) => {
        this.#paused = isPaused ? (this.#standing ?? this.#moment()) : null;
      },
      read: () => this.#point(),
    });
    this.#watchPlaces();
  }

  /** Fetches the drawing code and draws from now on; one piece of work at a time, so that the film comes first. */
  async load(): Promise<void> {
    await idle();
    this.#plotClass = (await import("./chart-plot.ts")).ChartPlot;
    const palette = new Palette(this.#options.root);
    for (const chart of this.#charts) {
      await idle();
      this.#makePlot(chart, palette);
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#restyle());
  }

  /** To be called some times a second. */
  draw(nowSeconds: number): void {
    this.#nowSeconds = nowSeconds;
    if (this.#held === null || this.#held !== this.#drawn) {
      this.#redraw();
    }
  }

  /** While the film stands, what it came to stays, however long that takes. To be told whether or not anybody looks. */
  stand(isStanding: boolean, nowSeconds: number): void {
    if (isStanding !== (this.#standing !== null)) {
      this.#standing = isStanding ? this.#moment(nowSeconds) : null;
    }
  }

  /** Draws those, too, that are out of sight: for a picture of all. */
  async drawAll(): Promise<void> {
    const { toSeconds, spanSeconds, rows } = this.#view();
    for (const { plot } of this.#charts) {
      plot?.draw(toSeconds, spanSeconds, rows);
    }
    this.#showValues(this.#charts);
    await new Promise((drawn) => requestAnimationFrame(drawn)); // uPlot draws at the end of its task
  }

  /** Gives series other names, such as those of what they compare. */
  rename(labelOf: (series: SeriesSpec<Column>) => string): void {
    for (const { frame, spec } of this.#charts) {
      frame.rename(spec.series.map(labelOf));
    }
  }

  /** What is looked at, where that is not the present. */
  get #held(): Moment<Column> | null {
    return this.#paused ?? this.#standing;
  }

  #moment(nowSeconds = this.#nowSeconds): Moment<Column> {
    return { history: this.#options.history.copy(), nowSeconds };
  }

  #redraw(): void {
    if (document.hidden) {
      return;
    }
    this.#drawn = this.#held;
    const view = this.#view();
    this.#controls.reach(view.toSeconds, view.spanSeconds);
    for (const { isVisible, plot } of this.#charts) {
      if (isVisible) {
        // each in a task of its own: the film's come between
        setTimeout(() => plot?.draw(view.toSeconds, view.spanSeconds, view.rows));
      }
    }
    this.#showValues();
  }

  #view(): { readonly toSeconds: number; readonly spanSeconds: number; readonly rows: Table<Column> } {
    const present = { history: this.#options.history, nowSeconds: this.#nowSeconds };
    const { history, nowSeconds: toSeconds } = this.#held ?? present;
    const { spanSeconds } = this.#controls;
    const playedSeconds = toSeconds - (history.beganSeconds ?? toSeconds);
    return {
      toSeconds,
      spanSeconds: spanSeconds ?? Math.max(this.#timeAxis.leastSpanSeconds, playedSeconds),
      rows: history.rows(spanSeconds),
    };
  }

  #showValues(charts: readonly Chart<Column>[] = this.#charts.filter(({ isVisible }) => isVisible)): void {
    const { rows, toSeconds } = this.#view();
    const { ageSeconds } = this.#controls;
    const place = rows.placeAt(toSeconds - (ageSeconds ?? 0));
    const shownOf = (column: Column): Value => {
      if (ageSeconds === null && this.#timeAxis.isOver) return rows.lastKnown(column);
      return place === null ? null : (rows.column(column)[place] ?? null);
    };
    for (const { spec, frame } of charts) {
      frame.show(spec.series.map(({ column }) => shownOf(column)));
    }
  }

  /** Puts the cursor of all charts where the values are read. */
  #point(): void {
    for (const { plot } of this.#charts) {
      plot?.point(this.#controls.ageSeconds);
    }
    this.#showValues();
  }

  #onCursor(ageSeconds: number | null): void {
    this.#controls.read(ageSeconds);
    this.#showValues();
  }

  #restyle(): void {
    const palette = new Palette(this.#options.root);
    for (const chart of this.#charts) {
      this.#makePlot(chart, palette);
    }
    this.#redraw();
  }

  #makePlot(chart: Chart<Column>, palette: Palette): void {
    const { root, bands, marks } = this.#options;
    this.#fontPixels = palette.fontPixels;
    chart.plot?.close();
    chart.plot =
      this.#plotClass &&
      new this.#plotClass({
        element: chart.frame.plot,
        spec: chart.spec,
        palette,
        timeAxis: this.#timeAxis,
        bands,
        marks,
        rightPixels: RIGHT_EM * palette.fontPixels,
        syncKey: root.id,
        onCursor: (ageSeconds) => this.#onCursor(ageSeconds),
      });
  }

  #watchPlaces(): void {
    const chartOf = (target: Element): Chart<Column> | undefined =>
      this.#charts.find(({ frame }) => frame.plot === target);
    const sight = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const chart = chartOf(target);
        if (chart !== undefined) {
          chart.isVisible = isIntersecting;
        }
      }
      this.#redraw(); // what does not go on is drawn no other time
    });
    const size = new ResizeObserver((entries) => {
      if (this.#fontPixels !== null && this.#fontPixels !== fontPixelsNow()) {
        this.#restyle(); // the viewer has set another size of the text
        return;
      }
      for (const { target } of entries) {
        chartOf(target)?.plot?.resize();
      }
    });
    for (const { frame } of this.#charts) {
      sight.observe(frame.plot);
      size.observe(frame.plot);
    }
  }
}
