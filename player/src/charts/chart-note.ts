import type { ChartNote } from "./spec.ts";

/** An answer behind its question, since it is longer than the line; Escape closes it. */
export function chartNote({ question, answer }: ChartNote): HTMLDetailsElement {
  const details = document.createElement("details");
  details.className = "chart-note";
  const summary = document.createElement("summary");
  summary.textContent = question;
  const text = document.createElement("p");
  text.textContent = answer;
  details.append(summary, text);
  // of the document: a browser may leave the focus on the page when the question is clicked
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && details.open && document.querySelector("dialog[open]") === null) {
      close(details, summary);
    }
  });
  return details;
}

/** The focus goes back to the question, unless it is at something else by now. */
function close(details: HTMLDetailsElement, summary: HTMLElement): void {
  const { activeElement, body } = document;
  const isFree = activeElement === null || activeElement === body || details.contains(activeElement);
  details.open = false;
  if (isFree) {
    summary.focus();
  }
}
