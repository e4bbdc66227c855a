import { chartNote } from "./chart-note.ts";
import type { ChartSpec, SeriesSpec } from "./spec.ts";
import type { Value } from "./table.ts";

const SVG = "http://www.w3.org/2000/svg";
const NOTHING = "–";

/** A chart's place in the page: its title, its legend with values, and the room that is drawn into. */
export class ChartFrame {
  readonly figure = document.createElement("figure");
  /** The drawing goes in here. */
  readonly plot = document.createElement("div");
  readonly #entries: readonly LegendEntry[];
  readonly #spec: ChartSpec;

  constructor(spec: ChartSpec, summaryId: string) {
    this.#spec = spec;
    this.figure.className = "chart";
    this.plot.className = "plot";
    this.plot.setAttribute("role", "img");
    this.plot.setAttribute(
      "aria-label",
      chartLabel(
        spec,
        spec.series.map(({ label }) => label),
      ),
    );
    this.plot.setAttribute("aria-describedby", summaryId);
    this.#entries = spec.series.map(legendEntry);
    const caption = document.createElement("figcaption");
    caption.append(titleOf(spec), ...this.#entries.map(({ entry }) => entry));
    this.figure.append(caption, this.plot);
  }

  /** Names the series anew, in their order. */
  rename(labels: readonly string[]): void {
    for (const [place, { name, value }] of this.#entries.entries()) {
      name.textContent = labels[place] ?? "";
      value.setAttribute("aria-label", name.textContent);
    }
    this.plot.setAttribute("aria-label", chartLabel(this.#spec, labels));
  }

  /** Shows one value of each series, in their order. */
  show(values: readonly Value[]): void {
    for (const [place, { entry, value: element }] of this.#entries.entries()) {
      const value = values[place] ?? null;
      if (this.#spec.series[place]?.isSeldom === true) {
        entry.hidden = value === null;
      }
      const text = value === null ? NOTHING : value.toFixed(this.#spec.series[place]?.digits ?? 0);
      if (element.textContent !== text) {
        element.textContent = text;
      }
    }
  }
}

interface LegendEntry {
  readonly entry: HTMLElement;
  readonly name: HTMLElement;
  readonly value: HTMLElement;
}

function chartLabel({ title, unit }: ChartSpec, labels: readonly string[]): string {
  return `${title} in ${unit} over time: ${labels.join(", ")}.`;
}

function titleOf({ title, unit, number, note }: ChartSpec): HTMLElement {
  const heading = document.createElement("strong");
  const small = document.createElement("small");
  small.textContent = unit;
  heading.append(`${title} `, small);
  if (number !== undefined) {
    const badge = document.createElement("span");
    badge.className = "chart-number";
    badge.textContent = String(number);
    badge.setAttribute("aria-hidden", "true");
    heading.prepend(badge);
  }
  if (note !== undefined) {
    heading.append(chartNote(note));
  }
  return heading;
}

function legendEntry(series: SeriesSpec): LegendEntry {
  const entry = document.createElement("span");
  entry.className = "legend-entry";
  entry.hidden = series.isUnlisted === true || series.isSeldom === true;
  const name = document.createElement("span");
  name.textContent = series.label;
  const value = document.createElement("output");
  value.textContent = NOTHING;
  value.setAttribute("aria-live", "off");
  value.setAttribute("aria-label", series.label);
  entry.append(swatch(series), name, " ", value);
  return { entry, name, value };
}

/** A piece of the line as it is drawn, so that a series is told by its dashes as well as its colour. */
function swatch({ colour, dash, shape }: SeriesSpec): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 18 10");
  svg.setAttribute("aria-hidden", "true");
  svg.style.color = `var(${colour})`;
  if (shape === "area") {
    svg.append(svgElement("rect", { x: "0", y: "4", width: "18", height: "6", class: "area" }));
  }
  const y = shape === "area" ? "4" : "5";
  svg.append(
    svgElement("line", { x1: "0", x2: "18", y1: y, y2: y, "stroke-dasharray": (dash ?? []).join(" ") }),
  );
  return svg;
}

function svgElement(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  return element;
}
