/** What a viewer does on either page: small things that both do alike. */

import { elementById, setText } from "../dom/elements.ts";

const SAID_MS = 4000;

/** Says what was done, for a while. */
export function say(text: string): void {
  setText("controls-said", text);
  setTimeout(() => {
    if (elementById("controls-said", HTMLElement).textContent === text) {
      setText("controls-said", "");
    }
  }, SAID_MS);
}

export function onButton(id: string, act: () => void): void {
  const button = elementById(id, HTMLButtonElement);
  button.disabled = false;
  button.addEventListener("click", act);
}

export async function copyAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    say("Link copied, with all settings");
  } catch {
    globalThis.history.replaceState(null, "", address); // a browser that lets no page copy
    say("The browser lets no page copy here; the address bar has the link");
  }
}

/** Rejects where the browser shows none. */
export function toggleFullScreen(element: Element): Promise<void> {
  return document.fullscreenElement === null ? element.requestFullscreen() : document.exitFullscreen();
}

/** Moves the focus there, out of what is folded in, too. */
export function focusOn(element: HTMLElement | null): void {
  const fold = element?.closest("details");
  if (fold) {
    fold.open = true;
  }
  element?.focus();
}
