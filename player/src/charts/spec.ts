/** What a chart shows; pure data. */

export interface SeriesSpec<Column extends string = string> {
  readonly column: Column;
  readonly label: string;
  /** CSS custom property that holds its colour. */
  readonly colour: string;
  readonly shape: "line" | "step" | "area";
  /** Lengths of dashes and gaps in CSS pixels; none for a solid line. */
  readonly dash?: readonly number[];
  /** Measured by the axis at the right instead. */
  readonly isRight?: boolean;
  readonly digits: number;
}

export interface ChartSpec<Column extends string = string> {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** The axis reaches at least this far. */
  readonly leastTop: number;
  /** The end of the axis at the right, where a series is measured by it. */
  readonly rightTop?: number;
  readonly series: readonly SeriesSpec<Column>[];
}

/** How much of the past charts show. */
export const CHART_SPAN_SECONDS = 60;
