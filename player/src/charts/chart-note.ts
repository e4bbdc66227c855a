import { foldOut } from "./fold-out.ts";
import type { ChartNote } from "./spec.ts";

/** An answer behind its question, since it is longer than the line. */
export function chartNote({ question, answer }: ChartNote): HTMLDetailsElement {
  const details = document.createElement("details");
  details.className = "chart-note";
  const summary = document.createElement("summary");
  summary.textContent = question;
  const text = document.createElement("p");
  text.textContent = answer;
  details.append(summary, text);
  foldOut(details);
  return details;
}
