/** A page in a tab that nobody looks at is not painted at all. */
const AT_THE_LATEST_MS = 200;

/** When the browser has painted what stands in the page. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, AT_THE_LATEST_MS);
  });
}

/** Afterwards: what the browser has to do meanwhile comes between. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
