import type { Drawing } from "./drawing.ts";
import { type Mark, placeLabels } from "./marks.ts";
import type { Palette } from "./palette.ts";

export interface MarkDrawing extends Drawing {
  readonly marks: readonly Mark[];
}

const GAP_PIXELS = 4;

const rowPixels = ({ fontPixels }: Pick<Palette, "fontPixels">): number => fontPixels + 1;
/** Above the lines, for the first row of names. */
export const marksPixels = (palette: Pick<Palette, "fontPixels">): number => rowPixels(palette) + 2;

/** A line where something was changed, with its name; of two players in the colour of the one that changed. */
export function drawMarks({
  context,
  area,
  pixelRatio,
  marks,
  palette,
  fromSeconds,
  toSeconds,
}: MarkDrawing): void {
  context.save();
  context.font = palette.font(pixelRatio);
  const rowHeight = rowPixels(palette);
  context.textBaseline = "top";
  context.textAlign = "left";
  context.setLineDash([]); // a series may have left its own
  context.lineWidth = pixelRatio;
  const placed = placeLabels(
    marks,
    area,
    { fromSeconds, toSeconds },
    (label) => context.measureText(label).width,
    GAP_PIXELS * pixelRatio,
  );
  for (const { mark, lineX, textX, row } of placed) {
    const colour = palette.colour(MARK_COLOURS[mark.side ?? 2]);
    context.strokeStyle = colour;
    context.beginPath();
    context.moveTo(lineX, area.top);
    context.lineTo(lineX, area.top + area.height);
    context.stroke();
    if (row === null) {
      continue;
    }
    const top = area.top + ((row - 1) * rowHeight - (row === 0 ? 2 : 0)) * pixelRatio;
    context.globalAlpha = 0.85;
    context.fillStyle = palette.colour("--chart-ground");
    context.fillRect(
      textX - pixelRatio,
      top,
      context.measureText(mark.label).width + 2 * pixelRatio,
      rowHeight * pixelRatio,
    );
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.fillText(mark.label, textX, top);
  }
  context.restore();
}

const MARK_COLOURS = ["--series-a", "--series-b", "--mark"] as const;
