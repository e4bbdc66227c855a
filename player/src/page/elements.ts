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

/** Fills a picker; `onChange` gets the chosen name. */
export function fillPicker(
  select: HTMLSelectElement,
  entries: readonly { readonly name: string; readonly title: string; readonly summary: string }[],
  chosen: string,
  onChange: (name: string) => void,
): void {
  const options = entries.map(({ name, title, summary }) => {
    const option = new Option(title, name, false, name === chosen);
    option.title = summary;
    return option;
  });
  select.replaceChildren(...options);
  const explain = (): void => {
    const note = document.getElementById(`${select.id}-summary`);
    const entry = entries.find(({ name }) => name === select.value);
    if (note !== null) {
      note.textContent = entry?.summary ?? "";
    }
  };
  select.disabled = false;
  select.addEventListener("change", () => {
    explain();
    onChange(select.value);
  });
  explain();
}
