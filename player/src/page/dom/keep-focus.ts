import { elementById } from "./elements.ts";

/** To the film: without a focus a screen reader would begin at the page's top. */
export function focusOnMain(): void {
  elementById("main", HTMLElement).focus({ preventScroll: true });
}

/** Hides what may have the focus, which then goes where it belongs. */
export function hideWithFocus(element: HTMLElement, moveFocus: () => void = focusOnMain): void {
  const hadFocus = element.contains(document.activeElement);
  element.hidden = true;
  if (hadFocus) {
    moveFocus();
  }
}
