/** What folds out over the page is closed by Escape and by a press beside it. */
export function foldOut(details: HTMLDetailsElement): void {
  // of the document: a browser may leave the focus on the page when the summary is clicked
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && details.open && document.querySelector("dialog[open]") === null) {
      close(details);
    }
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (details.open && !details.contains(target as Node | null)) {
      details.open = false;
    }
  });
}

/** The focus goes back to the summary, unless it is at something else by now. */
function close(details: HTMLDetailsElement): void {
  const { activeElement, body } = document;
  const isFree = activeElement === null || activeElement === body || details.contains(activeElement);
  details.open = false;
  if (isFree) {
    details.querySelector("summary")?.focus();
  }
}
