import type { Palette } from "./palette.ts";

/** Where and in which time something is drawn over a chart's lines. */
export interface Drawing {
  readonly context: CanvasRenderingContext2D;
  /** Where lines are drawn, in canvas pixels. */
  readonly area: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly pixelRatio: number;
  readonly palette: Palette;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}
