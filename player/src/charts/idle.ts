const AT_THE_LATEST_MS = 1000;

/** When nothing else is to be done, at the latest in a second; in a later task where the browser (Safari) does not tell. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) {
      requestIdleCallback(() => resolve(), { timeout: AT_THE_LATEST_MS });
    } else {
      setTimeout(resolve);
    }
  });
}
