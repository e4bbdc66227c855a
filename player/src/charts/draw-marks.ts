import type { Drawing } from "./drawing.ts";
import { type Mark, placeLabels } from "./marks.ts";

export interface MarkDrawing extends Drawing {
  readonly marks: readonly Mark[];
}

const GAP_PIXELS = 4;
const ROW_PIXELS = 12;
/** Above the lines, for the first row of names. */
export const MARKS_PIXELS = ROW_PIXELS + 2;

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
  context.font = palette.font.replace(/^\d+/, (size) => String(Number(size) * pixelRatio));
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
    const top = area.top + ((row - 1) * ROW_PIXELS - (row === 0 ? 2 : 0)) * pixelRatio;
    context.globalAlpha = 0.85;
    context.fillStyle = palette.colour("--chart-ground");
    context.fillRect(
      textX - pixelRatio,
      top,
      context.measureText(mark.label).width + 2 * pixelRatio,
      ROW_PIXELS * pixelRatio,
    );
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.fillText(mark.label, textX, top);
  }
  context.restore();
}

const MARK_COLOURS = ["--series-a", "--series-b", "--mark"] as const;
