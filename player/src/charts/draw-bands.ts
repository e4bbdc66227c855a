import { type Band, type VisibleBand, visibleBands } from "./bands.ts";
import type { Drawing } from "./drawing.ts";

export interface BandDrawing extends Drawing {
  readonly bands: readonly Band[];
}

/** A stall that lasted an instant is still seen. */
const LEAST_WIDTH_PIXELS = 2;
const HATCH_PIXELS = 6;

/** Shades stalls and hatches what came over HTTP; of two players the left one's above, the right one's below. */
export function drawBands(drawing: BandDrawing): void {
  const { context, bands, fromSeconds, toSeconds } = drawing;
  context.save();
  context.setLineDash([]); // a series may have left its own
  for (const band of visibleBands(bands, fromSeconds, toSeconds)) {
    const box = boxOf(band, drawing);
    if (band.kind === "stall") {
      context.fillStyle = drawing.palette.colour("--stall");
      context.fillRect(box.left, box.top, box.width, box.height);
      edge(drawing, box, "--stall-edge");
    } else {
      hatch(drawing, box);
      edge(drawing, box, "--hatch-edge");
    }
  }
  context.restore();
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function boxOf(band: VisibleBand, { area, pixelRatio, fromSeconds, toSeconds }: BandDrawing): Box {
  const pixelsPerSecond = area.width / (toSeconds - fromSeconds);
  const half = area.height / 2;
  return {
    left: area.left + (band.fromSeconds - fromSeconds) * pixelsPerSecond,
    top: area.top + (band.side === 1 ? half : 0),
    width: Math.max(LEAST_WIDTH_PIXELS * pixelRatio, (band.toSeconds - band.fromSeconds) * pixelsPerSecond),
    height: band.side === null ? area.height : half,
  };
}

/** Shades are faint, so that lines are seen on them: where they begin and end is a line of its own. */
function edge(
  { context, pixelRatio, palette }: BandDrawing,
  { left, top, width, height }: Box,
  colour: string,
): void {
  context.fillStyle = palette.colour(colour);
  context.fillRect(left, top, pixelRatio, height);
  context.fillRect(left + width - pixelRatio, top, pixelRatio, height);
}

function hatch({ context, pixelRatio, palette }: BandDrawing, { left, top, width, height }: Box): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.beginPath();
  for (let x = left - height; x < left + width; x += HATCH_PIXELS * pixelRatio) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.strokeStyle = palette.colour("--hatch");
  context.lineWidth = pixelRatio;
  context.stroke();
  context.restore();
}
