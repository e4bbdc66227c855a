/** What a chart shows; pure data. */

export interface SeriesSpec<Column extends string = string> {
  readonly column: Column;
  /** 1 where the value is the former one, not measured anew: that part is drawn in dots. */
  readonly staleColumn?: Column;
  readonly label: string;
  /** CSS custom property that holds its colour. */
  readonly colour: string;
  readonly shape: "line" | "step" | "area";
  /** Lengths of dashes and gaps in CSS pixels; none for a solid line. */
  readonly dash?: readonly number[];
  /** Measured by the axis at the right instead. */
  readonly isRight?: boolean;
  readonly digits: number;
  /** In the legend only while it has a value: most choices have none. */
  readonly isSeldom?: boolean;
  /** Not in the legend: what it is, is plain to see. */
  readonly isUnlisted?: boolean;
}

export interface ChartNote {
  readonly question: string;
  readonly answer: string;
}

export interface ChartSpec<Column extends string = string> {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** Its number among the things to watch. */
  readonly number?: number;
  /** Explains what is not plain to see: a question, and the sentences that answer it. */
  readonly note?: ChartNote;
  /** The axis reaches at least this far. */
  readonly leastTop: number;
  /** Where this one has values, the axis goes by it, and what is far above it is cut. */
  readonly ruler?: Column;
  /** Linear up to 20 and logarithmic above, so that small values are seen beside large ones. */
  readonly isLog?: boolean;
  /** The end of the axis at the right, where a series is measured by it. */
  readonly rightTop?: number;
  readonly series: readonly SeriesSpec<Column>[];
}
