/** What a viewer does with two films: quality of each, captions, whose sound, link, downloads, keys. Loaded after the first frame. */

import type { Side } from "../../charts/comparison-charts.ts";
import type { SessionRows } from "../../downloads/session-rows.ts";
import type { FilmConfig } from "../../options/server-config.ts";
import { listenToKeys } from "../controls/keyboard.ts";
import type { KeyAction } from "../controls/keys.ts";
import { copyAddress, focusOn, onButton, say, toggleFullScreen } from "../controls/viewer-actions.ts";
import { queryNow, showQuery } from "../dom/address-bar.ts";
import { elementById } from "../dom/elements.ts";
import type { Notice } from "../dom/notice.ts";
import type { FilmSide } from "../film/film-side.ts";
import { moveTo } from "../film/move-to.ts";
import { CaptionMenu } from "../menus/caption-menu.ts";
import { QualityMenu } from "../menus/quality-menu.ts";
import { shareComparison, withSide } from "../query/side-query.ts";

export interface ControlledSide {
  readonly name: Side;
  readonly film: FilmSide;
  readonly video: HTMLVideoElement;
  readonly rows: SessionRows;
}

export interface ComparisonControlsOptions {
  readonly sides: readonly [ControlledSide, ControlledSide];
  readonly config: FilmConfig;
  /** What is compared, as legends say it. */
  readonly names: () => readonly [string, string];
  /** Starts, pauses or goes on with both. */
  readonly togglePlay: () => void;
  readonly notice: Notice;
  /** Draws the charts that are out of sight, too. */
  readonly drawAll: () => Promise<void>;
}

/** Of what is told; over as soon as a film plays. */
const MATTER = "controls";
/** Keys of one film that mean nothing for two. */
const OF_ONE_FILM = ["o"];

export class ComparisonControls {
  readonly #options: ComparisonControlsOptions;
  readonly #sound = elementById("sound-of", HTMLSelectElement);
  readonly #menus: readonly QualityMenu[];
  readonly #captions: CaptionMenu;

  constructor(options: ComparisonControlsOptions) {
    this.#options = options;
    this.#menus = options.sides.flatMap((side) => {
      const { playback } = side.film;
      if (playback === null) {
        return [];
      }
      const select = elementById(`${side.name}-quality`, HTMLSelectElement);
      return [new QualityMenu(select, playback, (kilobits) => this.#hold(side, kilobits))];
    });
    const playbacks = options.sides.flatMap(({ film }) => film.playback ?? []);
    this.#captions = new CaptionMenu({
      offered: () =>
        playbacks.map(({ film }) => film?.captions() ?? []).find(({ length }) => length > 0) ?? [],
      present: () => playbacks[0]?.wishes.captions ?? null,
      take: (captions) => this.#caption(captions),
    });
    this.#sound.disabled = false;
    this.#sound.addEventListener("change", () => this.#hear());
    for (const { video } of options.sides) {
      video.addEventListener("playing", () => options.notice.clear(MATTER));
    }
    onButton("copy-link", () => this.#copyLink());
    onButton("download", () => void this.#download());
    onButton("keys", () => void this.#help());
    listenToKeys((action) => this.#act(action));
    this.show();
  }

  show(): void {
    for (const menu of this.#menus) {
      menu.show();
    }
    if (this.#menus.some(({ rungs }) => rungs.length > 0)) {
      this.#captions.show();
    }
  }

  /** The same under both films. */
  #caption(captions: string | null): void {
    for (const { film } of this.#options.sides) {
      film.playback?.wish({ captions });
    }
    const query = queryNow();
    captions === null ? query.delete("captions") : query.set("captions", captions);
    showQuery(query);
    this.show();
  }

  #hold({ name, film }: ControlledSide, qualityKilobitsPerSecond: number | null): void {
    const { sides } = this.#options;
    film.playback?.wish({ qualityKilobitsPerSecond });
    for (const side of sides) {
      side.film.countAnew(); // both: the score is of the same time
    }
    if (film.playback !== null) {
      const { choices, wishes } = film.playback;
      showQuery(withSide(queryNow(), name, choices, wishes));
    }
  }

  /** Of one film, or of none: two at once are noise. */
  #hear(): void {
    for (const { name, video } of this.#options.sides) {
      video.muted = this.#sound.value !== name;
    }
  }

  #act(action: KeyAction): void {
    switch (action.kind) {
      case "play":
        this.#options.togglePlay();
        break;
      case "seek":
        this.#moveBoth((video) => video.currentTime + action.bySeconds);
        break;
      case "place":
        this.#moveBoth((video) => video.duration * action.share);
        break;
      case "mute":
        this.#sound.selectedIndex = (this.#sound.selectedIndex + 1) % this.#sound.length;
        this.#hear();
        say(this.#sound.selectedOptions[0]?.text ?? "");
        break;
      case "full":
        toggleFullScreen(document.documentElement).catch((error: unknown) => this.#fail(error));
        break;
      case "captions":
        this.#captions.next();
        break;
      case "copy":
        this.#copyLink();
        break;
      case "download":
        void this.#download();
        break;
      case "help":
        void this.#help();
        break;
      case "focus":
        focusOn(document.getElementById(action.id) ?? document.getElementById(`left-${action.id}`));
        break;
    }
  }

  #moveBoth(placeOf: (video: HTMLVideoElement) => number): void {
    for (const { video } of this.#options.sides) {
      if (!video.ended) {
        moveTo(video, placeOf(video));
      }
    }
  }

  #copyLink(): void {
    const { sides, config } = this.#options;
    const { link } = sides[0].film.snapshot();
    const shown = sides.flatMap(({ name, film: { playback } }) =>
      playback === null ? [] : [{ name, choices: playback.choices, wishes: playback.wishes }],
    );
    void copyAddress(shareComparison(location.href, shown, { link, config }));
  }

  async #download(): Promise<void> {
    const { sides, config, names, drawAll } = this.#options;
    const { offerDownloads } = await import("../controls/download-dialog.ts");
    offerDownloads({
      sessions: sides.map(({ name, film, rows }, place) => ({
        title: names()[place] ?? name,
        session: () => ({
          address: location.href,
          title: config.film.title,
          userAgent: navigator.userAgent,
          side: name,
          snapshot: film.snapshot(),
          records: film.records(),
          rows,
        }),
      })),
      heading: () => `${config.film.title}: ${names().join(" | ")}`,
      charts: elementById("charts", HTMLElement),
      drawAll,
      onFailure: (sentence) => this.#fail(sentence),
    });
  }

  async #help(): Promise<void> {
    (await import("../controls/keys-help.ts")).showKeys((key) => !OF_ONE_FILM.includes(key));
  }

  #fail(error: unknown): void {
    this.#options.notice.show(error instanceof Error ? error.message : String(error), MATTER);
  }
}
