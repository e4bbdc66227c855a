import type { Track } from "../../dash/film-tracks.ts";
import { say } from "../controls/viewer-actions.ts";
import { elementById } from "../dom/elements.ts";
import { showOptions } from "./show-options.ts";

export interface CaptionMenuOptions {
  /** What the film has; none before it is there. */
  readonly offered: () => readonly Track[];
  /** Key of what is shown; null for none. */
  readonly present: () => string | null;
  readonly take: (key: string | null) => void;
}

const NONE = "";

/** The menu of captions, which is there where the film has some, and the key that goes through them. */
export class CaptionMenu {
  readonly #options: CaptionMenuOptions;
  readonly #control = elementById("captions-control", HTMLElement);
  readonly #select = elementById("captions", HTMLSelectElement);

  constructor(options: CaptionMenuOptions) {
    this.#options = options;
    this.#select.addEventListener("change", () => options.take(this.#select.value || null));
  }

  show(): void {
    const { offered, present } = this.#options;
    const captions = offered().map(({ key, title }) => ({ value: key, title }));
    this.#control.hidden = captions.length === 0;
    showOptions(this.#select, [{ value: NONE, title: "None" }, ...captions], present() ?? NONE);
  }

  /** The next ones, or none after the last; says which. */
  next(): void {
    const tracks = this.#options.offered();
    if (tracks.length === 0) {
      say("This film has no captions");
      return;
    }
    const present = this.#options.present();
    const next = tracks[tracks.findIndex(({ key }) => key === present) + 1];
    this.#options.take(next?.key ?? null);
    say(next === undefined ? "No captions" : `Captions: ${next.title}`);
  }
}
