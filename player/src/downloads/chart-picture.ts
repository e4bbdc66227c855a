/** The charts as they stand in the page, in one picture, in the page's colours. */

const MARGIN = 16;
const CAPTION_HEIGHT = 34;
const HEADING_HEIGHT = 40;
const KEY_WIDTH = 18;

/** Resolves with a PNG; rejects with one sentence where nothing is drawn. */
export async function chartPicture(root: HTMLElement, heading: string): Promise<Blob> {
  const figures = [...root.querySelectorAll<HTMLElement>("figure")]
    .map((figure) => ({ figure, drawn: figure.querySelector("canvas") }))
    .filter((one): one is { figure: HTMLElement; drawn: HTMLCanvasElement } => one.drawn !== null);
  if (figures.length === 0) {
    throw new Error("No chart is drawn yet; wait for the film, or open the page without charts=0.");
  }
  const ratio = devicePixelRatio;
  const width = Math.max(...figures.map(({ drawn }) => drawn.width)) + 2 * MARGIN * ratio;
  const heights = figures.map(({ drawn }) => drawn.height + CAPTION_HEIGHT * ratio);
  const height = heights.reduce((sum, one) => sum + one, (HEADING_HEIGHT + MARGIN) * ratio);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("The browser draws no picture here.");
  }
  const style = getComputedStyle(document.body);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, height);
  const write = (text: string, x: number, y: number, font: string, colour: string): number => {
    context.font = `${font} ${style.fontFamily}`;
    context.fillStyle = colour;
    context.fillText(text, x, y);
    return context.measureText(text).width;
  };
  write(heading, MARGIN * ratio, 26 * ratio, `600 ${15 * ratio}px`, style.color);
  let top = HEADING_HEIGHT * ratio;
  for (const [place, { figure, drawn }] of figures.entries()) {
    const baseline = top + 20 * ratio;
    const title = titleOf(figure);
    let x = MARGIN * ratio + write(title, MARGIN * ratio, baseline, `600 ${13 * ratio}px`, style.color);
    for (const entry of figure.querySelectorAll<HTMLElement>(".legend-entry:not([hidden])")) {
      const text = (entry.textContent ?? "").trim();
      x += 14 * ratio;
      drawKey(context, entry, { x, y: baseline - 4 * ratio, ratio });
      x += (KEY_WIDTH + 4) * ratio;
      x += write(text, x, baseline, `${12 * ratio}px`, getComputedStyle(entry).color);
    }
    context.drawImage(drawn, MARGIN * ratio, top + CAPTION_HEIGHT * ratio);
    top += heights[place] ?? 0;
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      blob === null ? reject(new Error("The browser makes no picture of the charts.")) : resolve(blob);
    }, "image/png");
  });
}

/** A piece of the line as the page's legend has it, with its dashes. */
function drawKey(
  context: CanvasRenderingContext2D,
  entry: HTMLElement,
  { x, y, ratio }: { readonly x: number; readonly y: number; readonly ratio: number },
): void {
  const line = entry.querySelector("line");
  if (line === null) {
    return;
  }
  const dashes = (line.getAttribute("stroke-dasharray") ?? "").split(" ").filter(Boolean).map(Number);
  context.save();
  context.strokeStyle = getComputedStyle(line).color;
  context.lineWidth = 2 * ratio;
  context.setLineDash(dashes.map((length) => length * ratio));
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + KEY_WIDTH * ratio, y);
  context.stroke();
  context.restore();
}

/** Without its number, which is the page's, and without what folds out. */
function titleOf(figure: HTMLElement): string {
  const title = figure.querySelector("strong")?.cloneNode(true);
  if (!(title instanceof HTMLElement)) {
    return "";
  }
  for (const element of title.querySelectorAll("details, [aria-hidden]")) {
    element.remove();
  }
  return (title.textContent ?? "").trim();
}
