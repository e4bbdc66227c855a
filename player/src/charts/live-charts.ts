import type { Band } from "./bands.ts";
import { ChartFrame } from "./chart-frame.ts";
import type { ChartPlot } from "./chart-plot.ts";
import { idle } from "./idle.ts";
import { Palette } from "./palette.ts";
import { ageText } from "./scale.ts";
import type { ChartSpec } from "./spec.ts";
import type { Timeline } from "./timeline.ts";

export interface LiveChartsOptions<Column extends string> {
  /** Charts go in here. */
  readonly root: HTMLElement;
  readonly specs: readonly ChartSpec<Column>[];
  readonly timeline: Timeline<Column>;
  readonly bands: () => readonly Band[];
  /** Chooses the moment that the legends show, from the oldest (lowest) to now (highest). */
  readonly reading: HTMLInputElement;
  /** Id of the text that says in words what the charts show. */
  readonly summaryId: string;
}

/** Enough for a second axis, and for half of the word at the end of the first. */
const RIGHT_PIXELS = 24;

interface Chart<Column extends string> {
  readonly spec: ChartSpec<Column>;
  readonly frame: ChartFrame;
  plot: ChartPlot | null;
  isVisible: boolean;
}

/**
 * Charts on one axis of time. Frames and legends stand from the beginning; drawing begins with `load` and is done on
 * `draw` alone, for charts that are within the window of a page that is shown.
 */
export class LiveCharts<Column extends string> {
  readonly #options: LiveChartsOptions<Column>;
  readonly #charts: readonly Chart<Column>[];
  #plotClass: typeof ChartPlot | null = null;
  #nowSeconds = 0;
  /** How long ago the moment was whose values are shown; null for now. */
  #ageSeconds: number | null = null;

  constructor(options: LiveChartsOptions<Column>) {
    this.#options = options;
    this.#charts = options.specs.map((spec) => ({
      spec,
      frame: new ChartFrame(spec, options.summaryId),
      plot: null,
      isVisible: false,
    }));
    options.root.append(...this.#charts.map(({ frame }) => frame.figure));
    options.reading.addEventListener("input", () => {
      const age = -options.reading.valueAsNumber;
      this.#point(age === 0 ? null : age);
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
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#recolour());
  }

  draw(nowSeconds: number): void {
    this.#nowSeconds = nowSeconds;
    if (document.hidden) {
      return;
    }
    for (const chart of this.#charts) {
      if (chart.isVisible) {
        setTimeout(() => this.#drawOne(chart, nowSeconds)); // each in a task of its own: the film's come between
      }
    }
    this.#showValues();
  }

  #drawOne({ plot, spec }: Chart<Column>, nowSeconds: number): void {
    const { timeline } = this.#options;
    plot?.draw(
      nowSeconds,
      timeline.seconds,
      spec.series.map(({ column }) => timeline.column(column)),
    );
  }

  #showValues(): void {
    const { timeline } = this.#options;
    const place = timeline.placeAt(this.#nowSeconds - (this.#ageSeconds ?? 0));
    for (const { spec, frame, isVisible } of this.#charts) {
      if (isVisible) {
        frame.show(
          spec.series.map(({ column }) => (place === null ? null : (timeline.column(column)[place] ?? null))),
        );
      }
    }
  }

  /** Reads the values at this age in all charts. */
  #point(ageSeconds: number | null): void {
    this.#onCursor(ageSeconds);
    for (const { plot } of this.#charts) {
      plot?.point(ageSeconds);
    }
  }

  #onCursor(ageSeconds: number | null): void {
    this.#ageSeconds = ageSeconds;
    const { reading } = this.#options;
    reading.valueAsNumber = -(ageSeconds ?? 0);
    reading.setAttribute("aria-valuetext", ageText(ageSeconds ?? 0));
    this.#showValues();
  }

  #recolour(): void {
    const palette = new Palette(this.#options.root);
    for (const chart of this.#charts) {
      this.#makePlot(chart, palette);
    }
    this.draw(this.#nowSeconds);
  }

  #makePlot(chart: Chart<Column>, palette: Palette): void {
    const { root, bands } = this.#options;
    chart.plot?.close();
    chart.plot =
      this.#plotClass &&
      new this.#plotClass({
        element: chart.frame.plot,
        spec: chart.spec,
        palette,
        bands,
        rightPixels: RIGHT_PIXELS,
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
    });
    const size = new ResizeObserver((entries) => {
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
