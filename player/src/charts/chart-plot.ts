/** One chart drawn by uPlot. Loaded when there is something to draw, not before the film. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Band } from "./bands.ts";
import { drawBands } from "./draw-bands.ts";
import type { Palette } from "./palette.ts";
import { ageText, roundTop } from "./scale.ts";
import { CHART_SPAN_SECONDS, type ChartSpec, type SeriesSpec } from "./spec.ts";
import type { Value } from "./timeline.ts";

export interface ChartPlotOptions {
  readonly element: HTMLElement;
  readonly spec: ChartSpec;
  readonly palette: Palette;
  /** Room at the right, the same in all charts of one axis of time. */
  readonly rightPixels: number;
  /** Charts of one key share their cursor. */
  readonly syncKey: string;
  readonly bands: () => readonly Band[];
  /** The pointer stands this long before the end of the chart; null when it has left. */
  readonly onCursor: (ageSeconds: number | null) => void;
}

const AGE_MARKS_SECONDS = [60, 45, 30, 15, 0] as const;
const LEFT_AXIS_PIXELS = 36;

export class ChartPlot {
  readonly #options: ChartPlotOptions;
  readonly #plot: uPlot;
  #nowSeconds = 0;

  constructor(options: ChartPlotOptions) {
    this.#options = options;
    const { clientWidth, clientHeight } = options.element;
    const columns = options.spec.series.map(() => []);
    this.#plot = new uPlot(this.#settings(clientWidth, clientHeight), [[], ...columns], options.element);
  }

  /** Draws rows up to now; columns in the order of the specification's series. */
  draw(nowSeconds: number, seconds: readonly number[], columns: readonly (readonly Value[])[]): void {
    this.#nowSeconds = nowSeconds;
    this.#plot.setData([seconds, ...columns] as unknown as uPlot.AlignedData);
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#options.element;
    if (width > 0 && (width !== this.#plot.width || height !== this.#plot.height)) {
      this.#plot.setSize({ width, height });
    }
  }

  /** Puts the cursor where the reading is taken; null takes it away. */
  point(ageSeconds: number | null): void {
    const left = ageSeconds === null ? -10 : this.#plot.valToPos(this.#nowSeconds - ageSeconds, "x");
    this.#plot.setCursor({ left, top: ageSeconds === null ? -10 : 1 }, false);
  }

  close(): void {
    this.#plot.destroy();
  }

  #settings(width: number, height: number): uPlot.Options {
    const { spec, syncKey, rightPixels } = this.#options;
    return {
      width,
      height,
      padding: [6, spec.rightTop === undefined ? rightPixels : 0, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: false, y: false },
        sync: { key: syncKey, setSeries: false },
      },
      scales: {
        x: { time: false, range: () => [this.#nowSeconds - CHART_SPAN_SECONDS, this.#nowSeconds] },
        y: { range: (_plot, _least, highest) => [0, roundTop(highest, spec.leastTop)] },
        ...(spec.rightTop === undefined ? {} : { right: { range: [0, spec.rightTop] } }),
      },
      axes: this.#axes(),
      series: [{}, ...spec.series.map((series) => this.#series(series))],
      hooks: {
        drawClear: [(plot) => this.#drawBands(plot)],
        setCursor: [(plot) => this.#onCursor(plot)],
      },
    };
  }

  #axes(): uPlot.Axis[] {
    const { palette, spec, rightPixels } = this.#options;
    const look = {
      stroke: palette.colour("--quiet"),
      font: palette.font,
      grid: { stroke: palette.colour("--grid"), width: 1 },
      ticks: { show: false },
    };
    const ageAxis: uPlot.Axis = {
      ...look,
      size: 20,
      gap: 4,
      splits: () => AGE_MARKS_SECONDS.map((age) => this.#nowSeconds - age),
      values: (_plot, splits) => splits.map((at) => ageText(this.#nowSeconds - at)),
    };
    const valueAxis: uPlot.Axis = {
      ...look,
      size: LEFT_AXIS_PIXELS,
      gap: 5,
      splits: (plot) => halves(plot.scales.y?.max ?? 0),
      values: (_plot, splits) => splits.map(plain),
    };
    const rightAxis: uPlot.Axis = {
      ...look,
      scale: "right",
      side: 1,
      size: rightPixels,
      gap: 5,
      grid: { show: false },
      splits: () => halves(spec.rightTop ?? 0),
      values: (_plot, splits) => splits.map(plain),
    };
    return spec.rightTop === undefined ? [ageAxis, valueAxis] : [ageAxis, valueAxis, rightAxis];
  }

  #series({ label, colour, shape, dash, isRight }: SeriesSpec): uPlot.Series {
    const stroke = this.#options.palette.colour(colour);
    const paths = shape === "step" ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    return {
      label,
      stroke,
      scale: isRight === true ? "right" : "y",
      width: shape === "area" ? 1 : 1.75,
      points: { show: false },
      ...(dash === undefined ? {} : { dash: [...dash] }),
      ...(shape === "area" ? { fill: `${stroke}33` } : {}),
      ...(paths === undefined ? {} : { paths }),
    };
  }

  #drawBands(plot: uPlot): void {
    const { bands, palette } = this.#options;
    drawBands({
      context: plot.ctx,
      area: plot.bbox,
      pixelRatio: uPlot.pxRatio,
      bands: bands(),
      palette,
      fromSeconds: this.#nowSeconds - CHART_SPAN_SECONDS,
      toSeconds: this.#nowSeconds,
    });
  }

  #onCursor(plot: uPlot): void {
    const left = plot.cursor.left ?? -1;
    this.#options.onCursor(left < 0 ? null : this.#nowSeconds - plot.posToVal(left, "x"));
  }
}

const halves = (top: number): number[] => [0, top / 2, top];
const plain = (value: number): string => String(Number(value.toPrecision(3)));
