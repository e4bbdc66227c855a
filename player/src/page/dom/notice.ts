import { focusOnMain } from "./keep-focus.ts";

/** What the viewer can do about it at once. */
export interface NoticeAction {
  readonly label: string;
  readonly act: () => void;
}

interface Told {
  readonly text: string;
  readonly action: NoticeAction | null;
  readonly canBeDismissed: boolean;
  readonly isDismissed: boolean;
}

/** One sentence for the viewer, over the page's lower end: the newest of those that still hold and were not dismissed. */
export class Notice {
  readonly #element: HTMLElement;
  /** By what they are about, the newest last. */
  readonly #told = new Map<string, Told>();
  #written: Told | null = null;

  constructor(element: HTMLElement) {
    this.#element = element;
    keepRoomFor(element.closest<HTMLElement>(".notices"));
  }

  get text(): string | null {
    return this.#newest()?.text ?? null;
  }

  /** Says this until another sentence is shown on the same matter, the matter is over, or the viewer dismisses it. */
  show(text: string, matter: string, action: NoticeAction | null = null): void {
    this.#tell(matter, { text, action, canBeDismissed: true, isDismissed: false });
  }

  /** Says this, which the viewer cannot dismiss: nothing plays until the matter is over. */
  insist(text: string, matter: string, action: NoticeAction | null): void {
    this.#tell(matter, { text, action, canBeDismissed: false, isDismissed: false });
  }

  /** Says this, unless it was said last on the matter: what came later stays the one that is read, and what was dismissed stays so. */
  showOnce(text: string, matter: string): void {
    if (this.#told.get(matter)?.text !== text) {
      this.show(text, matter);
    }
  }

  /** The matter is over; what else holds is shown again. */
  clear(matter: string): void {
    if (this.#told.delete(matter)) {
      this.#write();
    }
  }

  #tell(matter: string, told: Told): void {
    this.#told.delete(matter);
    this.#told.set(matter, told);
    this.#write();
  }

  /** Two films may say the same. */
  #dismiss(text: string): void {
    for (const [matter, told] of this.#told) {
      if (told.text === text && told.canBeDismissed) {
        this.#told.set(matter, { ...told, isDismissed: true });
      }
    }
    this.#write();
  }

  #newest(): Told | null {
    return [...this.#told.values()].findLast(({ isDismissed }) => !isDismissed) ?? null;
  }

  #write(): void {
    const told = this.#newest();
    const isWritten = (["text", "action", "canBeDismissed"] as const).every(
      (part) => this.#written?.[part] === told?.[part],
    );
    if (isWritten) {
      return; // nothing is read out twice
    }
    this.#written = told;
    this.#element.textContent = told?.text ?? null;
    if (told?.action) {
      this.#element.append(" ", buttonOf(told.action));
    }
    if (told?.canBeDismissed) {
      this.#element.append(dismissal(() => this.#dismiss(told.text)));
    }
    this.#element.hidden = told === null;
  }
}

/** The page's end, and what has the focus, is not behind what is said: frame.css makes room for its height. */
function keepRoomFor(notices: HTMLElement | null): void {
  if (notices !== null) {
    const { style } = document.documentElement;
    new ResizeObserver(() => style.setProperty("--notices-height", `${notices.offsetHeight}px`)).observe(
      notices,
    );
  }
}

function buttonOf({ label, act }: NoticeAction): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  onClick(button, act);
  return button;
}

/** Its cross is the style's: what the notice says in words is the sentence alone. */
function dismissal(act: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "dismiss";
  button.setAttribute("aria-label", "Dismiss");
  onClick(button, act);
  return button;
}

function onClick(button: HTMLButtonElement, act: () => void): void {
  button.addEventListener("click", () => {
    act();
    if (!button.isConnected) {
      focusOnMain(); // the notice is gone
    }
  });
}
