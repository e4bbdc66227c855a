export interface FollowsPageLife {
  /** The browser is online again, or the page is looked at. */
  retrySoon(): void;
  /** The page goes into the browser's cache, or away. */
  suspend(): void;
  /** It is shown again from there. */
  resume(): void;
}

/** Passes on what happens to the page. What it returns ends that. */
export function watchPageLife(follower: FollowsPageLife): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal };
  addEventListener("online", () => follower.retrySoon(), options);
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible") {
        follower.retrySoon();
      }
    },
    options,
  );
  // A page with an open session cannot be kept, and one that is kept would come back with a dead session.
  addEventListener("pagehide", () => follower.suspend(), options);
  addEventListener("pageshow", () => follower.resume(), options);
  return () => listening.abort();
}
