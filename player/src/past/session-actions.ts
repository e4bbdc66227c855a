import { SIDES, type Side } from "../charts/comparison-charts.ts";
import { elementById } from "../page/dom/elements.ts";
import { csvAddress, eraseSession } from "./session-api.ts";
import { sideTitle } from "./session-table.ts";

export interface SessionActionsOptions {
  readonly sid: (side: Side) => string | null;
  /** Asks the viewer. */
  readonly confirm: (question: string) => boolean;
  readonly onErased: (sid: string) => void;
  readonly onFailure: (error: unknown) => void;
}

/** What a viewer does with the sessions that are shown: takes what they reported away, or erases it. */
export class SessionActions {
  readonly #options: SessionActionsOptions;

  constructor(options: SessionActionsOptions) {
    this.#options = options;
    for (const side of SIDES) {
      eraseButton(side).onclick = () => this.#erase(side).catch(options.onFailure);
    }
  }

  show(names: Readonly<Record<Side, string>>): void {
    for (const side of SIDES) {
      const sid = this.#options.sid(side);
      const csv = elementById(`${side}-csv`, HTMLAnchorElement);
      csv.hidden = sid === null;
      eraseButton(side).hidden = sid === null;
      if (sid === null) {
        continue;
      }
      csv.href = csvAddress(sid);
      csv.setAttribute("aria-label", `CSV of ${sideTitle(side)}, ${names[side]}`);
      eraseButton(side).setAttribute("aria-label", `Erase ${sideTitle(side)}, ${names[side]}`);
    }
  }

  async #erase(side: Side): Promise<void> {
    const { sid: sidOf, confirm, onErased } = this.#options;
    const sid = sidOf(side);
    if (sid !== null && confirm(`Erase what visit ${sid} reported, for good?`)) {
      await eraseSession(sid);
      onErased(sid);
    }
  }
}

const eraseButton = (side: Side): HTMLButtonElement => elementById(`${side}-erase`, HTMLButtonElement);
