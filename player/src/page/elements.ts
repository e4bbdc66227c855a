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

export interface Picker {
  /** Lets it be picked from; with a sentence it is there to be read only, and the sentence says why. */
  offer(impediment: string | null): void;
}

interface PickerEntry<T extends string> {
  readonly name: T;
  readonly title: string;
  readonly summary: string;
  /** Heading above it and all others with the same. */
  readonly group?: string;
}

/** Fills a picker; `onChange` gets the chosen name. */
export function fillPicker<T extends string>(
  select: HTMLSelectElement,
  entries: readonly PickerEntry<T>[],
  chosen: string,
  onChange: (name: T) => void,
): Picker {
  select.replaceChildren();
  for (const { name, title, summary, group } of entries) {
    const option = new Option(title, name, false, name === chosen);
    option.title = summary;
    (group === undefined ? select : groupOf(select, group)).append(option);
  }
  const picked = () => entries.find(({ name }) => name === select.value);
  const explain = (impediment: string | null = null): void => {
    const note = document.getElementById(`${select.id}-summary`);
    const text = impediment ?? picked()?.summary ?? "";
    select.title = text;
    if (note !== null) {
      note.textContent = text;
    }
  };
  select.addEventListener("change", () => {
    explain();
    const entry = picked();
    if (entry !== undefined) {
      onChange(entry.name);
    }
  });
  const offer = (impediment: string | null): void => {
    select.disabled = impediment !== null;
    explain(impediment);
  };
  offer(null);
  return { offer };
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
