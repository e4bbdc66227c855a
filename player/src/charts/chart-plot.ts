/** One chart drawn by uPlot. Loaded when there is something to draw, not before the film. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Band } from "./bands.ts";
import { drawBands } from "./draw-bands.ts";
import { drawMarks, marksPixels } from "./draw-marks.ts";
import type { Mark } from "./marks.ts";
import type { Palette } from "./palette.ts";
import { clearLabels, logMarks, logTop, ruledTop, type TimeAxis } from "./scale.ts";
import type { ChartSpec, SeriesSpec } from "./spec.ts";
import { splitStale } from "./stale.ts";
import type { Table, Value } from "./table.ts";

export interface ChartPlotOptions<Column extends string> {
  readonly element: HTMLElement;
  readonly spec: ChartSpec<Column>;
  readonly palette: Palette;
  readonly timeAxis: TimeAxis;
  /** Room at the right, the same in all charts of one axis of time. */
  readonly rightPixels: number;
  /** Charts of one key share their cursor. */
  readonly syncKey: string;
  readonly bands: () => readonly Band[];
  readonly marks: () => readonly Mark[];
  /** The pointer stands this long before the end of the chart; null when it has left. */
  readonly onCursor: (ageSeconds: number | null) => void;
}

/** Of what is written, in heights of it. */
const LEFT_AXIS_EM = 36 / 11;
const SECONDS_AXIS_EM = 20 / 11;
const CHARACTER_EM = 0.6;
const LABEL_GAP_PIXELS = 4;
const STALE_DASH = [2, 3];
/** uPlot's scale that is linear up to a threshold and logarithmic above. */
const ASINH = { distr: 4, asinh: 20 } as const;

export class ChartPlot<Column extends string> {
  readonly #options: ChartPlotOptions<Column>;
  readonly #plot: uPlot;
  #toSeconds = 0;
  #spanSeconds = 60;
  #ruler: readonly Value[] = [];

  constructor(options: ChartPlotOptions<Column>) {
    this.#options = options;
    const { clientWidth, clientHeight } = options.element;
    const columns = options.spec.series.flatMap(({ staleColumn }) =>
      staleColumn === undefined ? [[]] : [[], []],
    );
    this.#plot = new uPlot(this.#settings(clientWidth, clientHeight), [[], ...columns], options.element);
  }

  /** Draws the rows of a span that ends there. */
  draw(toSeconds: number, spanSeconds: number, rows: Table<Column>): void {
    this.#toSeconds = toSeconds;
    this.#spanSeconds = spanSeconds;
    // The axis at the left is for what is in sight; one row before it, so that lines begin at the edge.
    const from = Math.max(0, rows.placeAt(toSeconds - spanSeconds) ?? 0);
    const cut = (column: Column): Value[] => rows.column(column).slice(from);
    const { ruler, series } = this.#options.spec;
    this.#ruler = ruler === undefined ? [] : cut(ruler);
    const columns = series.flatMap(({ column, staleColumn }) => {
      if (staleColumn === undefined) return [cut(column)];
      const { fresh, stale } = splitStale(cut(column), cut(staleColumn));
      return [fresh, stale];
    });
    this.#plot.setData([rows.seconds.slice(from), ...columns] as unknown as uPlot.AlignedData);
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#options.element;
    if (width > 0 && (width !== this.#plot.width || height !== this.#plot.height)) {
      this.#plot.setSize({ width, height });
    }
  }

  /** Puts the cursor where the reading is taken; null takes it away. */
  point(ageSeconds: number | null): void {
    const left = ageSeconds === null ? -10 : this.#plot.valToPos(this.#toSeconds - ageSeconds, "x");
    this.#plot.setCursor({ left, top: ageSeconds === null ? -10 : 1 }, false);
  }

  close(): void {
    this.#plot.destroy();
  }

  #settings(width: number, height: number): uPlot.Options {
    const { palette, spec, syncKey, rightPixels } = this.#options;
    return {
      width,
      height,
      padding: [marksPixels(palette), spec.rightTop === undefined ? rightPixels : 0, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: false, y: false },
        sync: { key: syncKey, setSeries: false },
      },
      scales: {
        x: { time: false, range: () => [this.#toSeconds - this.#spanSeconds, this.#toSeconds] },
        y: {
          range: (_plot, _least, highest) => [
            0,
            spec.isLog === true
              ? logTop(highest, spec.leastTop)
              : ruledTop(this.#ruler, highest, spec.leastTop),
          ],
          ...(spec.isLog === true ? ASINH : {}),
        },
        ...(spec.rightTop === undefined ? {} : { right: { range: [0, spec.rightTop] } }),
      },
      axes: this.#axes(),
      series: [{}, ...spec.series.flatMap((series) => this.#series(series))],
      hooks: {
        drawClear: [(plot) => drawBands({ ...this.#drawing(plot), bands: this.#options.bands() })],
        draw: [(plot) => drawMarks({ ...this.#drawing(plot), marks: this.#options.marks() })],
        setCursor: [(plot) => this.#onCursor(plot)],
      },
    };
  }

  #axes(): uPlot.Axis[] {
    const { palette, spec, rightPixels, timeAxis } = this.#options;
    const look = {
      stroke: palette.colour("--quiet"),
      font: palette.font(),
      grid: { stroke: palette.colour("--grid"), width: 1 },
      ticks: { show: false },
    };
    const secondsAxis: uPlot.Axis = {
      ...look,
      size: SECONDS_AXIS_EM * palette.fontPixels,
      gap: 4,
      splits: () =>
        timeAxis.marks({ fromSeconds: this.#toSeconds - this.#spanSeconds, toSeconds: this.#toSeconds }),
      values: (plot, splits) => {
        const texts = splits.map((at) => timeAxis.text(at, this.#toSeconds));
        const longest = Math.max(0, ...texts.map(({ length }) => length));
        // From the end: "now" is written first.
        const isClear = clearLabels(
          splits.map((at) => plot.valToPos(at, "x")).toReversed(),
          longest * CHARACTER_EM * palette.fontPixels + LABEL_GAP_PIXELS,
        ).toReversed();
        return texts.map((text, place) => (isClear[place] ? text : ""));
      },
    };
    const valueAxis: uPlot.Axis = {
      ...look,
      size: LEFT_AXIS_EM * palette.fontPixels,
      gap: 5,
      splits: (plot) => (spec.isLog === true ? logMarks : halves)(plot.scales.y?.max ?? 0),
      values: (plot, splits) => {
        const isClear = clearLabels(
          splits.map((value) => plot.valToPos(value, "y")),
          palette.fontPixels, // a line of it
        );
        return splits.map((value, place) => (isClear[place] ? plain(value) : ""));
      },
      filter: (_plot, splits) => splits,
    };
    const rightAxis: uPlot.Axis = {
      ...look,
      scale: "right",
      side: 1,
      size: rightPixels,
      gap: 5,
      grid: { show: false },
      splits: () => halves(spec.rightTop ?? 0),
      values: (plot, splits) => splits.map(hasRightValue(plot) ? plain : () => ""),
    };
    return spec.rightTop === undefined ? [secondsAxis, valueAxis] : [secondsAxis, valueAxis, rightAxis];
  }

  /** One line; two where what was not measured anew is drawn apart. */
  #series({ label, colour, shape, dash, isRight, staleColumn }: SeriesSpec): uPlot.Series[] {
    const stroke = this.#options.palette.colour(colour);
    const paths = shape === "step" ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const line: uPlot.Series = {
      label,
      stroke,
      scale: isRight === true ? "right" : "y",
      width: shape === "area" ? 1 : 1.75,
      points: { show: false },
      ...(dash === undefined ? {} : { dash: [...dash] }),
      ...(shape === "area" ? { fill: `${stroke}33` } : {}),
      ...(paths === undefined ? {} : { paths }),
    };
    return staleColumn === undefined ? [line] : [line, { ...line, width: 1.25, dash: STALE_DASH }];
  }

  /** What whatever is drawn beside the lines needs. */
  #drawing(plot: uPlot) {
    return {
      context: plot.ctx,
      area: plot.bbox,
      pixelRatio: uPlot.pxRatio,
      palette: this.#options.palette,
      fromSeconds: this.#toSeconds - this.#spanSeconds,
      toSeconds: this.#toSeconds,
    };
  }

  #onCursor(plot: uPlot): void {
    const left = plot.cursor.left ?? -1;
    this.#options.onCursor(left < 0 ? null : this.#toSeconds - plot.posToVal(left, "x"));
  }
}

/** Most choices have nothing that is measured by the axis at the right: its numbers would be of nothing. */
function hasRightValue({ series, data }: uPlot): boolean {
  return series.some(({ scale }, place) => scale === "right" && data[place]?.some((value) => value != null));
}

const halves = (top: number): number[] => [0, top / 2, top];
const plain = (value: number): string => String(Number(value.toPrecision(3)));
