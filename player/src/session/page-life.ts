export interface PageLife {
  /** The browser is online again, or the page is looked at. */
  readonly onOnlineOrVisible: () => void;
  /** The page goes into the browser's cache, or away. */
  readonly onHide: () => void;
  /** It is shown again from there. */
  readonly onShow: () => void;
}

/** Listens for what happens to the page. What it returns ends that. */
export function watchPageLife({ onOnlineOrVisible, onHide, onShow }: PageLife): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal };
  addEventListener("online", onOnlineOrVisible, options);
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible") {
        onOnlineOrVisible();
      }
    },
    options,
  );
  // A page with an open session cannot be kept, and one that is kept would come back with a dead session.
  addEventListener("pagehide", onHide, options);
  addEventListener("pageshow", onShow, options);
  return () => listening.abort();
}
