import { foldOut } from "../../charts/fold-out.ts";
import type { LinkState, NamedEntry, ServerConfig } from "../../options/server-config.ts";
import { elementById, setText } from "../dom/elements.ts";
import type { NoticeAction } from "../dom/notice.ts";
import { onceSettled } from "../dom/once-settled.ts";
import { oneAtATime } from "../dom/one-at-a-time.ts";
import { fetchLane } from "../fetch-config.ts";
import {
  checkEntry,
  entryRange,
  type LinkForm,
  type LinkRequest,
  linkForm,
  linkRequest,
  RATE_CHOICE,
  requestForm,
} from "../query/link-request.ts";
import { linkNotChangedSentence, linkSentence } from "../words/sentences.ts";
import { asSentence } from "../words/units.ts";
import { fetchLink, LinkNotNow, putLink } from "./link-api.ts";
import { type ServerClock, truerClock } from "./server-clock.ts";

/** There is another link. */
export interface LinkChange {
  readonly link: LinkState | null;
  readonly former: LinkState | null;
  /** The media server is to be reached at another address now. */
  readonly hasMoved: boolean;
  /** This page asked for it, not another one. */
  readonly isOwn: boolean;
  /** What this page asked for before is over: not where the same link has only begun anew, as after its relay's end. */
  readonly isSettled: boolean;
}

export interface LinkPanelOptions {
  readonly config: ServerConfig;
  readonly onLink: (change: LinkChange) => void;
  /** One sentence: the link stays as it is. `action` asks for the other one again, where that may help. */
  readonly onRefused: (sentence: string, link: LinkState | null, action: NoticeAction | null) => void;
}

type Entry = Exclude<keyof LinkForm, "name">;

const FIELDS: Readonly<Record<Entry, string>> = {
  megabitsPerSecond: "link-rate",
  delayMs: "link-delay",
  queuePackets: "link-queue",
  lossPercent: "link-loss",
};
const ENTRIES = Object.entries(FIELDS) as [Entry, string][];
const RATE: NamedEntry = { name: RATE_CHOICE, title: "A fixed rate", summary: "The same rate all the time." };
/** How soon a page sees what another one asked for. */
const LOOK_INTERVAL_MS = 3000;
/** A look that takes longer is given up: in an outage each would keep a connection, and browsers have six. */
const LOOK_MS = 3000;

/** The picker of the emulated link, and its delay, queue and loss. The link is the server's: what it is, is looked up. */
export class LinkPanel {
  readonly #options: LinkPanelOptions;
  readonly #select = elementById("link", HTMLSelectElement);
  /** Its times are the server's. */
  #link: LinkState | null;
  /** What was asked for and is not there yet: the form keeps it, for whoever asks again. */
  #wanted: LinkRequest | null = null;
  #clock: ServerClock = { aheadMs: 0, withinMs: Number.POSITIVE_INFINITY };
  #serverUrl: string | null;
  #isAsking = false;
  /** How often this page has asked for a link: what was seen before the last time is out of date. */
  #asked = 0;

  constructor(options: LinkPanelOptions) {
    this.#options = options;
    this.#link = options.config.link;
    this.#serverUrl = options.config.transport?.url ?? null;
    this.#showLimits();
    this.#show();
    for (const numbers of document.querySelectorAll<HTMLDetailsElement>(".more")) {
      foldOut(numbers);
    }
    const ask = onceSettled<Record<Entry, true>>((changed) => void this.#askForForm(changed));
    this.#select.addEventListener("change", () => ask({}));
    for (const [entry, id] of ENTRIES) {
      elementById(id, HTMLInputElement).addEventListener("change", () => ask({ [entry]: true }));
    }
    if (options.config.links.length > 0) {
      const look = oneAtATime(() => this.#look());
      void look(); // for the server's clock
      setInterval(() => void look(), LOOK_INTERVAL_MS);
      document.addEventListener("visibilitychange", () => void look());
    }
  }

  /** By this page's clock, which may be another one than the server's. */
  get link(): LinkState | null {
    return this.#link && { ...this.#link, startedAtMs: this.#link.startedAtMs - this.#clock.aheadMs };
  }

  /** Asks for a link; afterwards the form shows what there is, or what can be asked for again. */
  async ask(request: LinkRequest): Promise<void> {
    const hadFocus = document.activeElement;
    this.#asked += 1;
    this.#isAsking = true;
    this.#setDisabled(true);
    try {
      await this.#take(await putLink(request), true);
    } catch (error) {
      this.#refuse(error, request);
    } finally {
      this.#isAsking = false;
      this.#show();
    }
    if (document.activeElement === document.body && hadFocus instanceof HTMLElement) {
      hadFocus.focus(); // lost while it was disabled
    }
  }

  async #askForForm(changed: Readonly<Partial<Record<Entry, true>>>): Promise<void> {
    const texts = ENTRIES.map(([entry, id]) => [entry, elementById(id, HTMLInputElement).value]);
    const form = { ...linkForm(null), ...Object.fromEntries(texts), name: this.#select.value };
    try {
      for (const [entry] of ENTRIES) {
        if (changed[entry] === true) checkEntry(form, entry, this.#options.config.linkLimits);
      }
    } catch (error) {
      this.#refuse(error, null);
      this.#show();
      return;
    }
    await this.ask(linkRequest(form));
  }

  /** Whether another page has changed the link. */
  async #look(): Promise<void> {
    if (document.hidden || this.#isAsking) {
      return;
    }
    const asked = this.#asked;
    const signal = AbortSignal.timeout(LOOK_MS);
    const seen = await fetchLink(signal).catch(() => undefined); // the server is away: the next look tells
    if (seen === undefined) {
      return;
    }
    this.#clock = truerClock(this.#clock, seen.clock);
    if (asked !== this.#asked) {
      return;
    }
    if (!isSame(seen.link, this.#link)) {
      await this.#take(seen.link, false, signal).catch(() => undefined); // as above
      this.#show();
    }
  }

  async #take(link: LinkState | null, isOwn: boolean, signal: AbortSignal | null = null): Promise<void> {
    const url = (await fetchLane(0, signal))?.url ?? this.#serverUrl;
    const hasMoved = url !== this.#serverUrl;
    const former = this.#link;
    const isSettled = isOwn || !isSame(begunAtOnce(link), begunAtOnce(former));
    if (isSettled) {
      this.#wanted = null;
    }
    this.#link = link;
    this.#serverUrl = url;
    this.#options.onLink({ link, former, hasMoved, isOwn, isSettled });
  }

  /** @param request what was asked of the server; null where the form itself is wrong */
  #refuse(error: unknown, request: LinkRequest | null): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#wanted = error instanceof LinkNotNow ? request : null;
    const wanted = this.#wanted;
    if (wanted === null) {
      this.#options.onRefused(asSentence(why), this.#link, null);
      return;
    }
    const act = (): void => {
      this.#select.focus(); // the button goes away
      void this.ask(wanted);
    };
    this.#options.onRefused(linkNotChangedSentence(why), this.#link, { label: "Try again", act });
  }

  #show(): void {
    const form = this.#form();
    const entries = this.#entries();
    this.#select.replaceChildren(...entries.map(({ name, title }) => new Option(title, name)));
    this.#select.value = form.name;
    for (const [entry, id] of ENTRIES) {
      elementById(id, HTMLInputElement).value = form[entry];
    }
    setText("link-summary", this.#summary(entries, form.name));
    this.#setDisabled(false);
  }

  #form(): LinkForm {
    const present = linkForm(this.#link);
    return this.#wanted === null ? present : requestForm(this.#wanted, present);
  }

  #summary(entries: readonly NamedEntry[], shown: string): string {
    const sentence = linkSentence(this.#link, this.#options.config.isLinkShared);
    if (this.#wanted !== null) {
      const still = this.#link === null ? "" : `; the link is still “${this.#link.title}”`;
      return `Not taken${still}. ${sentence}`;
    }
    const summary = entries.find(({ name }) => name === shown)?.summary ?? "";
    return this.#link === null ? sentence : `${summary} ${sentence}`;
  }

  /** What can be picked; and the present link, which may be a file that only the command line can name. */
  #entries(): NamedEntry[] {
    const entries = [...this.#options.config.links, RATE];
    const present = linkForm(this.#link).name;
    if (this.#link === null || entries.some(({ name }) => name === present)) {
      return entries;
    }
    const { name, title } = this.#link;
    return [...entries, { name, title, summary: "A trace that the server was started with." }];
  }

  #showLimits(): void {
    for (const [entry, id] of ENTRIES) {
      const { min, max } = entryRange(entry, this.#options.config.linkLimits);
      Object.assign(elementById(id, HTMLInputElement), {
        min: String(min),
        max: max === Number.POSITIVE_INFINITY ? "" : String(max),
      });
    }
  }

  #setDisabled(isDisabled: boolean): void {
    const { name } = this.#form();
    const isFixed =
      name === "none" || ![...this.#options.config.links, RATE].some((one) => one.name === name);
    this.#select.disabled = isDisabled;
    const isTraced = name !== "none" && name !== RATE_CHOICE;
    elementById(FIELDS.megabitsPerSecond, HTMLInputElement).placeholder = isTraced ? "varies" : "";
    for (const [entry, id] of ENTRIES) {
      const isUseless = isFixed || (entry === "megabitsPerSecond" && name !== RATE_CHOICE);
      elementById(id, HTMLInputElement).disabled = isDisabled || isUseless;
    }
  }
}

function isSame(one: LinkState | null, other: LinkState | null): boolean {
  const told = (link: LinkState | null): string => JSON.stringify(link && { ...link, capacity: null });
  return told(one) === told(other);
}

/** Whenever it began. */
const begunAtOnce = (link: LinkState | null): LinkState | null => link && { ...link, startedAtMs: 0 };
