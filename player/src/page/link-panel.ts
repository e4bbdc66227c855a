import { elementById, setText } from "./elements.ts";
import { putLink } from "./link-api.ts";
import { type LinkRequest, linkForm, linkRequest, RATE_CHOICE } from "./link-request.ts";
import { linkSentence } from "./sentences.ts";
import { fetchServerConfig, type LinkState, type ServerConfig } from "./server-config.ts";

export interface LinkPanelOptions {
  readonly config: ServerConfig;
  /** `hasMoved`: the media server is to be reached at another address now. */
  readonly onLink: (link: LinkState | null, hasMoved: boolean) => void;
  /** One sentence: the link stays as it was. */
  readonly onRefused: (sentence: string) => void;
}

const FIELDS = {
  megabitsPerSecond: "link-rate",
  delayMs: "link-delay",
  queuePackets: "link-queue",
  lossPercent: "link-loss",
} as const;

/** The picker of the emulated link, and its delay, queue and loss. */
export class LinkPanel {
  readonly #options: LinkPanelOptions;
  readonly #select = elementById("link", HTMLSelectElement);
  readonly #entries: ServerConfig["links"];
  #link: LinkState | null;
  #serverUrl: string | null;

  constructor(options: LinkPanelOptions) {
    this.#options = options;
    this.#link = options.config.link;
    this.#serverUrl = options.config.transport?.url ?? null;
    this.#entries = [
      ...options.config.links,
      { name: RATE_CHOICE, title: "A fixed rate", summary: "The same rate all the time." },
    ];
    this.#select.replaceChildren(...this.#entries.map(({ name, title }) => new Option(title, name)));
    this.#show();
    for (const id of ["link", ...Object.values(FIELDS)]) {
      document.getElementById(id)?.addEventListener("change", () => void this.#askForForm());
    }
  }

  get link(): LinkState | null {
    return this.#link;
  }

  /** Asks for a link; afterwards the form shows what there is. */
  async ask(request: LinkRequest): Promise<void> {
    this.#setDisabled(true);
    try {
      this.#link = await putLink(request);
      const url = (await fetchServerConfig()).transport?.url ?? this.#serverUrl;
      const hasMoved = url !== this.#serverUrl;
      this.#serverUrl = url;
      this.#options.onLink(this.#link, hasMoved);
    } catch (error) {
      this.#options.onRefused(error instanceof Error ? error.message : String(error));
    } finally {
      this.#show();
    }
  }

  async #askForForm(): Promise<void> {
    const hadFocus = document.activeElement;
    const text = (id: string): string => elementById(id, HTMLInputElement).value;
    const texts = Object.entries(FIELDS).map(([name, id]) => [name, text(id)]);
    try {
      await this.ask(
        linkRequest({ ...linkForm(null), ...Object.fromEntries(texts), name: this.#select.value }),
      );
    } catch (error) {
      this.#options.onRefused(error instanceof Error ? error.message : String(error));
      this.#show();
    }
    if (hadFocus instanceof HTMLElement) {
      hadFocus.focus(); // lost while it was disabled
    }
  }

  #show(): void {
    const form = linkForm(this.#link);
    this.#select.value = form.name;
    for (const [name, id] of Object.entries(FIELDS)) {
      elementById(id, HTMLInputElement).value = form[name as keyof typeof FIELDS];
    }
    const summary = this.#entries.find(({ name }) => name === form.name)?.summary ?? "";
    setText(
      "link-summary",
      this.#link === null ? linkSentence(null) : `${summary} ${linkSentence(this.#link)}`,
    );
    this.#setDisabled(false);
  }

  #setDisabled(isDisabled: boolean): void {
    this.#select.disabled = isDisabled;
    for (const [name, id] of Object.entries(FIELDS)) {
      const isUseless =
        name === "megabitsPerSecond" ? this.#select.value !== RATE_CHOICE : this.#link === null;
      elementById(id, HTMLInputElement).disabled = isDisabled || isUseless;
    }
  }
}
