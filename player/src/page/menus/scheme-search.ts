/** All schemes with a line of what each does, to be searched. Loaded when somebody asks. */

import type { SchemeEntry } from "../../options/server-config.ts";
import { openDialog } from "../dom/dialog.ts";
import { capitalise, counted } from "../words/units.ts";

type Found = Pick<SchemeEntry, "name" | "title" | "family" | "summary">;

/** Those in whose name, title, family or summary every word occurs. */
export function matching<T extends Found>(schemes: readonly T[], text: string): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return schemes.filter(({ name, title, family, summary }) => {
    const searched = `${name} ${title} ${family} ${summary}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** What Enter takes: the first that was found; null where nothing was looked for, or nothing found. */
export function firstFound<T extends Found>(schemes: readonly T[], text: string): T | null {
  return text.trim() === "" ? null : (matching(schemes, text)[0] ?? null);
}

/** What a screen reader is told of the list, which it would read as a whole with each key. */
function countSentence(count: number): string {
  return `${capitalise(counted(count, "scheme"))} found.`;
}

/** The schemes of each family, in the order in which families come first. */
export function byFamily<T extends Found>(schemes: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const families = new Map<string, T[]>();
  for (const scheme of schemes) {
    const known = families.get(scheme.family);
    if (known === undefined) families.set(scheme.family, [scheme]);
    else known.push(scheme);
  }
  return families;
}

/** Opens the list; `onChoose` gets the name. */
export function searchSchemes<T extends Found>(
  schemes: readonly T[],
  chosen: string,
  onChoose: (name: T["name"]) => void,
): void {
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "Name, or what it does";
  search.setAttribute("aria-label", "Search schemes");
  const list = document.createElement("div");
  list.className = "schemes";
  const count = document.createElement("p");
  count.className = "visually-hidden";
  count.setAttribute("role", "status");
  const dialog = openDialog("Congestion control", [search, count, list]);
  const choose = (name: T["name"]): void => {
    dialog.close();
    onChoose(name);
  };
  const show = (): void => {
    const found = matching(schemes, search.value);
    count.textContent = countSentence(found.length);
    const sections = [...byFamily(found)].map(([family, members]) =>
      sectionOf(family, members, chosen, choose),
    );
    list.replaceChildren(...(sections.length > 0 ? sections : ["None has all of these words."]));
  };
  search.addEventListener("input", () => {
    show();
    list.scrollTop = 0; // at what Enter takes
  });
  search.addEventListener("keydown", (event) => {
    const first = firstFound(schemes, search.value);
    if (event.key !== "Enter" || first === null) return;
    event.preventDefault(); // else it presses the button, too, that has the focus again, and the list is back
    choose(first.name);
  });
  show();
  const pressed = list.querySelector<HTMLElement>("[aria-pressed=true]");
  if (pressed !== null) {
    // The list alone: on a low screen the dialog would hide the field that one types into.
    list.scrollTop = pressed.offsetTop - list.offsetTop - (list.clientHeight - pressed.offsetHeight) / 2;
  }
  search.focus();
}

function sectionOf<T extends Found>(
  family: string,
  members: readonly T[],
  chosen: string,
  choose: (name: T["name"]) => void,
): HTMLElement {
  const section = document.createElement("section");
  const heading = document.createElement("h3");
  heading.textContent = family;
  section.append(heading, ...members.map((scheme) => buttonOf(scheme, scheme.name === chosen, choose)));
  return section;
}

function buttonOf<T extends Found>(
  { name, title, summary }: T,
  isChosen: boolean,
  choose: (name: T["name"]) => void,
): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-pressed", String(isChosen));
  const heading = document.createElement("b");
  heading.textContent = title;
  const line = document.createElement("span");
  line.textContent = summary;
  button.append(heading, line);
  button.addEventListener("click", () => choose(name));
  return button;
}
