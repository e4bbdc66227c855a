import type { RefusedSession } from "./session-errors.ts";

/** How the session with the media server stands. */
export type SessionState =
  | { readonly kind: "opening" }
  | { readonly kind: "open" }
  /** The session is open and gives no sign of life; it is reachable when the page's server says that it should. */
  | { readonly kind: "silent"; readonly isReachable: boolean }
  /** There is no media server now; one is waited for. */
  | { readonly kind: "away"; readonly reason: string }
  /** A new session will be tried. */
  | { readonly kind: "lost"; readonly error: Error }
  /** No other session will be tried. */
  | { readonly kind: "refused"; readonly error: RefusedSession }
  /** It had nothing to do and another needed its place: the next request opens another. */
  | { readonly kind: "idle" }
  /** None is wanted for now: the page is out of sight in the browser's cache. */
  | { readonly kind: "suspended" };
