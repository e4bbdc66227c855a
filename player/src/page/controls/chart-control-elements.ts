import type { ChartControlElements } from "../../charts/chart-controls.ts";
import { elementById } from "../dom/elements.ts";

/** Where either page has them. */
export function chartControlElements(): ChartControlElements {
  return {
    span: elementById("chart-span", HTMLSelectElement),
    pause: elementById("chart-pause", HTMLButtonElement),
    reading: elementById("reading", HTMLInputElement),
  };
}

/** Whether the page's address wants charts; else what works them is hidden. */
export function showsCharts(query: URLSearchParams): boolean {
  const isShown = query.get("charts") !== "0";
  const besides = ":scope > :not(.charts-bar), .charts-bar > :not(#late)"; // that the computer is late counts for the film
  for (const each of elementById("live", HTMLElement).querySelectorAll(besides)) {
    each.toggleAttribute("hidden", !isShown);
  }
  return isShown;
}
