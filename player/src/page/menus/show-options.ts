export interface ShownOption {
  readonly value: string;
  readonly title: string;
}

/** Fills a menu where it differs: one that is open would close. */
export function showOptions(
  select: HTMLSelectElement,
  options: readonly ShownOption[],
  chosen: string,
): void {
  const isSame =
    select.options.length === options.length &&
    options.every(({ value, title }, place) => {
      const option = select.options[place];
      return option?.value === value && option.text === title;
    });
  if (!isSame) {
    select.replaceChildren(...options.map(({ value, title }) => new Option(title, value)));
  }
  if (select.value !== chosen) {
    select.value = chosen;
  }
}
