import { nearestRung, type Rung } from "../../dash/film-quality.ts";
import type { Playback } from "../film/playback.ts";
import { rungTitle } from "../words/quality-sentences.ts";
import { showOptions } from "./show-options.ts";

const AUTOMATIC = "auto";

/** The menu of a film's rungs: one that is held, or the rule's choice. */
export class QualityMenu {
  readonly #select: HTMLSelectElement;
  readonly #playback: Playback;

  /** @param onPick told the bitrate to hold; null for the rule's choice */
  constructor(
    select: HTMLSelectElement,
    playback: Playback,
    onPick: (kilobitsPerSecond: number | null) => void,
  ) {
    this.#select = select;
    this.#playback = playback;
    select.addEventListener("change", () => {
      const rung = this.rungs.find(({ id }) => id === select.value);
      onPick(rung === undefined ? null : Math.round(rung.bitsPerSecond / 1000));
    });
    select.disabled = false;
  }

  get rungs(): readonly Rung[] {
    return this.#playback.film?.rungs() ?? [];
  }

  get heldBitsPerSecond(): number | null {
    const { qualityKilobitsPerSecond } = this.#playback.wishes;
    return qualityKilobitsPerSecond === null ? null : 1000 * qualityKilobitsPerSecond;
  }

  show(): void {
    const { rungs, heldBitsPerSecond } = this;
    if (rungs.length === 0) {
      return;
    }
    const held = heldBitsPerSecond === null ? null : nearestRung(rungs, heldBitsPerSecond);
    const entries = rungs.map((rung) => ({ value: rung.id, title: rungTitle(rung) })).toReversed();
    showOptions(this.#select, [{ value: AUTOMATIC, title: "Automatic" }, ...entries], held?.id ?? AUTOMATIC);
  }
}
