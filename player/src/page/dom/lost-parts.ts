import type { Notice } from "./notice.ts";
import { RELOAD } from "./reload.ts";

const LOST =
  "A part of this page does not come: its server is away, or was upgraded after the page was opened.";

/** Says so where code that is fetched when it is first needed cannot be had: with each build Vite names it otherwise. */
export function tellLostParts(notice: Notice): void {
  // after whoever asked for it, and can only say what it is called
  addEventListener("vite:preloadError", () => setTimeout(() => notice.show(LOST, "lost part", RELOAD)));
}
