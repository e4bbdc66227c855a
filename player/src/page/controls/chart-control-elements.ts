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
