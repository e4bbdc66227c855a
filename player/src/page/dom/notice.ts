import { focusOnMain } from "./keep-focus.ts";

/** What the viewer can do about it at once. */
export interface NoticeAction {
  readonly label: string;
  readonly act: () => void;
}

interface Told {
  readonly text: string;
  readonly action: NoticeAction | null;
}

/** One sentence for the viewer, above the film: the newest of those that still hold. */
export class Notice {
  readonly #element: HTMLElement;
  /** By what they are about, the newest last. */
  readonly #told = new Map<string, Told>();
  #written: Told | null = null;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  get text(): string | null {
    return this.#newest()?.text ?? null;
  }

  /** Says this until another sentence is shown on the same matter, or the matter is over. */
  show(text: string, matter: string, action: NoticeAction | null = null): void {
    this.#told.delete(matter);
    this.#told.set(matter, { text, action });
    this.#write();
  }

  /** Whether this is what was said last on the matter. */
  says(text: string, matter: string): boolean {
    return this.#told.get(matter)?.text === text;
  }

  /** The matter is over; what else holds is shown again. */
  clear(matter: string): void {
    if (this.#told.delete(matter)) {
      this.#write();
    }
  }

  #newest(): Told | null {
    return [...this.#told.values()].at(-1) ?? null;
  }

  #write(): void {
    const told = this.#newest();
    if (this.#written?.text === told?.text && this.#written?.action === told?.action) {
      return; // nothing is read out twice
    }
    this.#written = told;
    this.#element.textContent = told?.text ?? null;
    if (told?.action) {
      this.#element.append(" ", buttonOf(told.action));
    }
    this.#element.hidden = told === null;
  }
}

function buttonOf({ label, act }: NoticeAction): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", () => {
    act();
    if (!button.isConnected) {
      focusOnMain(); // the matter is over
    }
  });
  return button;
}
