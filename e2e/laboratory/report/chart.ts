import { type Config, parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

const FONT = "system-ui, sans-serif";
export const FONT_SIZE = 12;

/** Colours are the page's (style.ts), so that a chart follows it from light to dark. */
const THEME = {
  background: "transparent",
  aria: false, // the figure is described as a whole
  font: FONT,
  view: { stroke: null },
  axis: {
    ...{ labelColor: "var(--muted)", titleColor: "var(--ink)", titleFontWeight: 500 },
    ...{ labelFontSize: FONT_SIZE - 1, titleFontSize: FONT_SIZE, titlePadding: 6 },
    ...{ gridColor: "var(--grid)", domainColor: "var(--line)", tickColor: "var(--line)", tickSize: 4 },
  },
  text: { color: "var(--ink)", font: FONT, fontSize: FONT_SIZE },
  title: { color: "var(--ink)", font: FONT, fontSize: FONT_SIZE + 1, fontWeight: 600, anchor: "start" },
  line: { strokeWidth: 1.75, strokeJoin: "round" },
} as const;

/** Series are told apart by colour and, where they are points, by shape. */
export const SERIES_COLOURS = 10;
const SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross"];

export function seriesColour(index: number): string {
  return `var(--series-${(index % SERIES_COLOURS) + 1})`;
}

export function seriesShape(index: number): string {
  return SHAPES[index % SHAPES.length] as string;
}

/**
 * A chart as an SVG that fills its container up to its own width.
 *
 * @param description what a person who does not see it is told
 */
export async function renderChart(spec: TopLevelSpec, description: string): Promise<string> {
  const { spec: vega } = compile({ ...spec, config: THEME } as TopLevelSpec);
  const view = new View(parse(vega, {} as Config), { renderer: "none" });
  try {
    return adapt(await view.toSVG(), description);
  } finally {
    view.finalize();
  }
}

function adapt(svg: string, description: string): string {
  const head = /^<svg[^>]*?width="([\d.]+)"[^>]*?viewBox="([^"]+)"[^>]*>/.exec(svg);
  if (head === null) throw new Error(`a chart began with ${svg.slice(0, 200)}`);
  const [whole, width, viewBox] = head;
  const label = escapeHtml(description);
  const own = `<svg class="chart" viewBox="${viewBox}" style="max-width:${width}px" role="img" aria-label="${label}">`;
  return `${own}${svg.slice(whole.length)}`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
