/** What each key does, wherever the focus is. Pure. */

export type KeyAction =
  | { readonly kind: "play" | "mute" | "full" | "captions" | "loop" | "copy" | "download" | "help" }
  | { readonly kind: "seek"; readonly bySeconds: number }
  | { readonly kind: "place"; readonly share: number }
  | { readonly kind: "focus"; readonly id: string };

/** As the help lists them. */
export interface KeyEntry {
  readonly keys: readonly string[];
  readonly title: string;
}

interface Binding extends KeyEntry {
  readonly action: (key: string) => KeyAction;
}

const simple =
  (kind: "play" | "mute" | "full" | "captions" | "loop" | "copy" | "download" | "help") => () => ({
    kind,
  });
const focus = (id: string) => () => ({ kind: "focus" as const, id });

const BINDINGS: readonly Binding[] = [
  { keys: [" ", "k"], title: "Play or pause", action: simple("play") },
  {
    keys: ["ArrowLeft", "ArrowRight"],
    title: "5 s back, 5 s on",
    action: (key) => ({ kind: "seek", bySeconds: key === "ArrowLeft" ? -5 : 5 }),
  },
  {
    keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    title: "To that tenth of the film",
    action: (key) => ({ kind: "place", share: Number(key) / 10 }),
  },
  { keys: ["m"], title: "Sound on or off", action: simple("mute") },
  { keys: ["f"], title: "Full screen", action: simple("full") },
  { keys: ["c"], title: "Next captions, or none", action: simple("captions") },
  { keys: ["o"], title: "Loop", action: simple("loop") },
  { keys: ["q"], title: "To the quality menu", action: focus("quality") },
  { keys: ["n"], title: "To the emulated link", action: focus("link") },
  { keys: ["s"], title: "To the congestion control", action: focus("scheme") },
  { keys: ["t"], title: "To the target delay", action: focus("preset") },
  { keys: ["r"], title: "To the adaptation rule", action: focus("rule") },
  { keys: ["e"], title: "To the estimate it sees", action: focus("estimator") },
  { keys: ["y"], title: "Copy the link with all settings", action: simple("copy") },
  { keys: ["d"], title: "Download this session", action: simple("download") },
  { keys: ["?"], title: "These keys", action: simple("help") },
];

export const KEY_ENTRIES: readonly KeyEntry[] = BINDINGS;

export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** What has the focus; `controls` are those that the browser gives a film. */
export type FocusKind = "page" | "button" | "menu" | "text" | "controls";

/** By them the browser presses its controls and moves their sliders. */
const CONTROLS_KEYS = [" ", "ArrowLeft", "ArrowRight"];

/** null where the key is the browser's, or that of what has the focus. */
export function actionOf(
  { key, ctrlKey, altKey, metaKey }: Pressed,
  focused: FocusKind,
  areLettersOn: boolean,
): KeyAction | null {
  const isOwn = ctrlKey || altKey || metaKey || focused === "text" || (focused === "menu" && key !== "?");
  const isPress = focused === "button" && key === " ";
  const isControls = focused === "controls" && CONTROLS_KEYS.includes(key);
  if (isOwn || isPress || isControls || !(areLettersOn || key === "?")) {
    return null;
  }
  const wanted = key.length === 1 ? key.toLowerCase() : key;
  return BINDINGS.find(({ keys }) => keys.includes(wanted))?.action(wanted) ?? null;
}
