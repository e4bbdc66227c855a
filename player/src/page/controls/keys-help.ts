/** The list of keys. Loaded when somebody asks. */

import { openDialog } from "../dom/dialog.ts";
import { areKeysOn, turnKeys } from "./keyboard.ts";
import { KEY_ENTRIES } from "./keys.ts";

const NAMES: Readonly<Record<string, string>> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→" };

/** @param isOfPage whether this page has what a key, the first of its entry, is for */
export function showKeys(isOfPage: (key: string) => boolean = () => true): void {
  const list = document.createElement("dl");
  list.className = "keys";
  for (const { keys, title } of KEY_ENTRIES.filter((entry) => isOfPage(entry.keys[0] ?? ""))) {
    const term = document.createElement("dt");
    const shown = keys.length > 2 ? [keys[0] ?? "", "…", keys.at(-1) ?? ""] : keys;
    for (const key of shown) {
      const element = document.createElement(key === "…" ? "span" : "kbd");
      element.textContent = NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
      term.append(element, " ");
    }
    const meaning = document.createElement("dd");
    meaning.textContent = title;
    const row = document.createElement("div");
    row.append(term, meaning);
    list.append(row);
  }
  openDialog("Keys", [list, offSwitch()]);
}

function offSwitch(): HTMLElement {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = areKeysOn();
  box.addEventListener("change", () => turnKeys(box.checked));
  label.append(box, " These keys work (? always does)");
  return label;
}
