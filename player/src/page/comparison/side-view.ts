import type { Side } from "../../charts/comparison-charts.ts";
import type { ServerConfig } from "../../options/server-config.ts";
import { RULES } from "../../rules/registry.ts";
import { elementById } from "../dom/elements.ts";
import { UnfoldingText } from "../dom/unfolding-text.ts";
import { controlTitle, titleOf } from "../film/title-of.ts";
import type { Snapshot } from "../nuwa-stream.ts";
import type { Choices } from "../query/choices.ts";
import { pathSentence } from "../words/sentences.ts";

/** One of two films in the page: its heading, its pickers, its video and what is said of it. */
export class SideView {
  readonly video: HTMLVideoElement;
  readonly #name: string;
  readonly #heading: HTMLElement;
  readonly #path: HTMLElement;
  readonly #pathText: UnfoldingText;
  readonly #stalled: HTMLElement;

  constructor(side: Side, parent: HTMLElement) {
    this.#name = side === "left" ? "Left" : "Right";
    const copy = document.importNode(elementById("side", HTMLTemplateElement).content, true);
    for (const part of copy.querySelectorAll<HTMLElement>("[data-part]")) {
      part.id = `${side}-${part.dataset.part}`;
    }
    copy.querySelector("section")?.setAttribute("aria-labelledby", `${side}-heading`);
    parent.append(copy);
    this.#unfoldWhereThereIsRoom(side);
    this.video = elementById(`${side}-film`, HTMLVideoElement);
    this.video.setAttribute("aria-label", `${this.#name} film`);
    this.#heading = elementById(`${side}-heading`, HTMLElement);
    this.#heading.textContent = this.#name;
    this.#path = elementById(`${side}-path`, HTMLElement);
    this.#pathText = new UnfoldingText(
      elementById(`${side}-path-text`, HTMLElement),
      elementById(`${side}-path-unfold`, HTMLButtonElement),
    );
    this.#stalled = elementById(`${side}-stalled`, HTMLElement);
  }

  /** Names what was chosen. */
  title(choices: Choices, config: ServerConfig): void {
    const control = controlTitle(choices, config);
    this.#heading.textContent = `${this.#name}: ${control} with ${titleOf(RULES, choices.rule)}`;
  }

  /** Beside the film the choices are always to be seen; under it, on a small screen, the score comes first. */
  #unfoldWhereThereIsRoom(side: Side): void {
    const fold = elementById(`${side}-fold`, HTMLDetailsElement);
    const isWide = matchMedia("(min-width: 62rem)");
    const unfold = (): void => {
      fold.open = isWide.matches;
    };
    unfold();
    isWide.addEventListener("change", unfold);
  }

  /** @param isWaiting nobody has started it, though it could be */
  show(snapshot: Snapshot, isStalled: boolean, isWaiting: boolean): void {
    this.#path.dataset.kind = snapshot.path?.kind ?? "connecting";
    this.#pathText.show(isWaiting ? "Not started" : pathSentence({ ...snapshot, link: null }));
    this.#stalled.hidden = !isStalled;
  }
}
