/** The element with this id. Throws when the page's HTML lacks it or has another kind of element there. */
export function elementById<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) {
    throw new Error(`the page has no ${kind.name} with the id ${id}`);
  }
  return element;
}

/** Writes text where it differs, so that nothing is laid out anew for nothing. */
export function setText(id: string, text: string): void {
  const element = elementById(id, HTMLElement);
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

interface PickerEntry<T extends string> {
  readonly name: T;
  readonly title: string;
  readonly summary: string;
  /** Heading above it and all others with the same. */
  readonly group?: string;
}

/** What a picker shows. */
export interface Offered<T extends string> {
  readonly entries: readonly PickerEntry<T>[];
  readonly chosen: string;
  /** One sentence why it is there to be read only; null where it can be picked from. */
  readonly impediment: string | null;
}

export interface Picker<T extends string> {
  offer(offered: Offered<T>): void;
}

/** Fills a picker; `onChange` gets the chosen name. */
export function fillPicker<T extends string>(
  select: HTMLSelectElement,
  first: Offered<T>,
  onChange: (name: T) => void,
): Picker<T> {
  let offered = first;
  const picked = () => offered.entries.find(({ name }) => name === select.value);
  const explain = (): void => {
    const note = document.getElementById(`${select.id}-summary`);
    const text = offered.impediment ?? picked()?.summary ?? "";
    select.title = text;
    if (note !== null) {
      note.textContent = text;
      note.classList.toggle("impediment", offered.impediment !== null);
    }
  };
  const offer = (next: Offered<T>): void => {
    offered = next;
    showEntries(select, next.entries);
    select.value = next.chosen;
    select.disabled = next.impediment !== null;
    explain();
  };
  select.addEventListener("change", () => {
    explain();
    const entry = picked();
    if (entry !== undefined) {
      onChange(entry.name);
    }
  });
  offer(first);
  return { offer };
}

/** Where they differ: the keys of somebody who walks through the menu go on from where they are. */
function showEntries(select: HTMLSelectElement, entries: readonly PickerEntry<string>[]): void {
  const shown = [...select.options].map(({ value, text, title }) => [value, text, title]);
  const wanted = entries.map(({ name, title, summary }) => [name, title, summary]);
  if (JSON.stringify(shown) === JSON.stringify(wanted)) {
    return;
  }
  select.replaceChildren();
  for (const { name, title, summary, group } of entries) {
    const option = new Option(title, name);
    option.title = summary;
    (group === undefined ? select : groupOf(select, group)).append(option);
  }
}

function groupOf(select: HTMLSelectElement, label: string): HTMLOptGroupElement {
  for (const child of select.children) {
    if (child instanceof HTMLOptGroupElement && child.label === label) {
      return child;
    }
  }
  const group = document.createElement("optgroup");
  group.label = label;
  select.append(group);
  return group;
}
