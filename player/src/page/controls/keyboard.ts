import { actionOf, type FocusKind, type KeyAction } from "./keys.ts";
import { NativeControls } from "./native-controls.ts";

const STORED = "nuwa-stream: keys";

/** Whether keys of one character do anything: voice control types them, so they can be turned off (WCAG 2.1.4). */
export const areKeysOn = (): boolean => stored() !== "off";

export function turnKeys(isOn: boolean): void {
  try {
    localStorage.setItem(STORED, isOn ? "on" : "off");
  } catch (error) {
    console.warn(`The browser keeps nothing of this page: ${String(error)}`);
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null; // a browser that keeps nothing: the keys are on
  }
}

/** Does what keys ask for, anywhere in the page but in an open dialog. */
export function listenToKeys(act: (action: KeyAction) => void): void {
  const controls = new NativeControls();
  document.addEventListener("pointerdown", () => controls.onPointer(), { capture: true });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Tab") {
        controls.onTab(event.shiftKey, document.activeElement instanceof HTMLVideoElement);
      }
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) {
        return;
      }
      const action = actionOf(event, focusKind(document.activeElement, controls), areKeysOn());
      if (action !== null) {
        event.preventDefault(); // the video's own controls know some of them, too
        act(action);
      }
    },
    { capture: true },
  );
}

const TYPED = ["text", "number", "search", "url"];

function focusKind(element: Element | null, controls: NativeControls): FocusKind {
  if (element?.closest("dialog") != null) {
    return "page"; // one that closes keeps the focus for a moment
  }
  if (element instanceof HTMLSelectElement) {
    return "menu";
  }
  if (element instanceof HTMLInputElement) {
    return TYPED.includes(element.type) ? "text" : "menu";
  }
  if (element instanceof HTMLVideoElement) {
    return controls.haveFocus ? "controls" : "page";
  }
  const isPressed = element?.matches("button, summary, a[href]") === true;
  return isPressed ? "button" : "page";
}
