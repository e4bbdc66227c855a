/** What a viewer does with the film: quality, captions, sound, loop, link, downloads, keys. Loaded after the first frame. */

import type { SessionRows } from "../../downloads/session-rows.ts";
import type { FilmConfig } from "../../options/server-config.ts";
import { RULES } from "../../rules/registry.ts";
import { queryNow, showQuery } from "../dom/address-bar.ts";
import { elementById, setText } from "../dom/elements.ts";
import type { Notice } from "../dom/notice.ts";
import { linkLabel } from "../film/change-label.ts";
import type { FilmSide } from "../film/film-side.ts";
import { play } from "../film/go-on.ts";
import { moveTo } from "../film/move-to.ts";
import type { Playback } from "../film/playback.ts";
import { controlTitle, titleOf } from "../film/title-of.ts";
import { CaptionMenu } from "../menus/caption-menu.ts";
import { QualityMenu } from "../menus/quality-menu.ts";
import { showOptions } from "../menus/show-options.ts";
import type { Snapshot } from "../nuwa-stream.ts";
import { shareLink } from "../query/share-link.ts";
import { type Wishes, withWishes } from "../query/wishes.ts";
import { shownSentence, whyNotMore } from "../words/quality-sentences.ts";
import { listenToKeys } from "./keyboard.ts";
import type { KeyAction } from "./keys.ts";
import { copyAddress, onButton, say, toggleFullScreen } from "./viewer-actions.ts";

export interface FilmControlsOptions {
  readonly side: FilmSide;
  readonly playback: Playback;
  readonly video: HTMLVideoElement;
  readonly config: FilmConfig;
  readonly rows: SessionRows;
  readonly notice: Notice;
  /** Draws the charts that are out of sight, too. */
  readonly drawAll: () => Promise<void>;
}

/** No sound track has it. */
const UNKNOWN = "";
/** Of what is told; over as soon as the film plays. */
const MATTER = "controls";

export class FilmControls {
  readonly #options: FilmControlsOptions;
  readonly #quality: QualityMenu;
  readonly #captions: CaptionMenu;
  readonly #sound = elementById("sound", HTMLSelectElement);
  readonly #loop = elementById("loop", HTMLButtonElement);

  constructor(options: FilmControlsOptions) {
    this.#options = options;
    this.#quality = new QualityMenu(
      elementById("quality", HTMLSelectElement),
      options.playback,
      (kilobitsPerSecond) => this.#hold(kilobitsPerSecond),
    );
    this.#captions = new CaptionMenu({
      offered: () => options.playback.film?.captions() ?? [],
      present: () => options.playback.wishes.captions,
      take: (captions) => this.#wish({ captions }),
    });
    this.#sound.addEventListener("change", () => this.#wish({ sound: this.#sound.value }));
    onButton("loop", () => this.#wish({ loops: !options.playback.wishes.loops }));
    onButton("copy-link", () => this.#copyLink());
    onButton("download", () => void this.#download());
    onButton("keys", () => void this.#help());
    options.video.addEventListener("playing", () => options.notice.clear(MATTER));
    options.video.textTracks.addEventListener("change", () => this.#followBrowsersMenu());
    listenToKeys((action) => this.#act(action));
    this.show(options.side.snapshot());
  }

  show(snapshot: Snapshot): void {
    const { playback } = this.#options;
    const { wishes, film } = playback;
    const { rungs, heldBitsPerSecond } = this.#quality;
    this.#quality.show();
    if (rungs.length > 0) {
      this.#showTracks();
    }
    this.#loop.setAttribute("aria-pressed", String(wishes.loops));
    const why = whyNotMore({
      rungs,
      heldBitsPerSecond,
      askedBitsPerSecond: playback.lastSwitch()?.toBitsPerSecond ?? null,
      shownBitsPerSecond: snapshot.playedBitsPerSecond,
      bufferSeconds: snapshot.bufferSeconds,
      decision: film?.attachment.lastDecision() ?? null,
    });
    setText("shown-note", shownSentence(snapshot.video, snapshot.playedBitsPerSecond) ?? "");
    setText("quality-note", why ?? "");
  }

  #showTracks(): void {
    const { wishes, film } = this.#options.playback;
    this.#captions.show();
    const sounds = film?.sounds() ?? { tracks: [], current: null };
    elementById("sound-control", HTMLElement).hidden = sounds.tracks.length < 2;
    showOptions(
      this.#sound,
      sounds.tracks.map(({ key, title }) => ({ value: key, title })),
      sounds.current ?? wishes.sound ?? UNKNOWN,
    );
  }

  #hold(qualityKilobitsPerSecond: number | null): void {
    this.#wish({ qualityKilobitsPerSecond });
    this.#options.side.countAnew();
  }

  #wish(wishes: Partial<Wishes>): void {
    const { playback, side } = this.#options;
    playback.wish(wishes);
    showQuery(withWishes(queryNow(), playback.wishes));
    this.show(side.snapshot());
  }

  #act(action: KeyAction): void {
    const { video, playback } = this.#options;
    switch (action.kind) {
      case "play":
        if (video.paused) {
          play(video).catch((error: unknown) => this.#fail(error));
        } else {
          video.pause();
        }
        break;
      case "seek":
        moveTo(video, video.currentTime + action.bySeconds);
        break;
      case "place":
        moveTo(video, video.duration * action.share);
        break;
      case "mute":
        video.muted = !video.muted;
        say(video.muted ? "Sound off" : "Sound on");
        break;
      case "full":
        toggleFullScreen(video).catch((error: unknown) => this.#fail(error));
        break;
      case "captions":
        this.#captions.next();
        break;
      case "loop":
        this.#wish({ loops: !playback.wishes.loops });
        say(playback.wishes.loops ? "Loop on" : "Loop off");
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
        document.getElementById(action.id)?.focus();
        break;
    }
  }

  /** Captions that are picked in the video's own menu are fetched only if the player hears of it. */
  #followBrowsersMenu(): void {
    const { video, playback } = this.#options;
    const place = [...video.textTracks].findIndex(({ mode }) => mode === "showing");
    const shown = playback.film?.captions()[place]?.key;
    if (shown !== undefined && shown !== playback.wishes.captions) {
      this.#wish({ captions: shown });
    }
  }

  #copyLink(): void {
    const { side, playback, config } = this.#options;
    const { choices, wishes } = playback;
    void copyAddress(shareLink(location.href, { choices, wishes, link: side.snapshot().link, config }));
  }

  async #download(): Promise<void> {
    const { side, playback, rows, config, drawAll } = this.#options;
    const { offerDownloads } = await import("./download-dialog.ts");
    offerDownloads({
      sessions: [
        {
          title: config.film.title,
          session: () => ({
            address: location.href,
            title: config.film.title,
            userAgent: navigator.userAgent,
            snapshot: side.snapshot(),
            records: side.records(),
            rows,
          }),
        },
      ],
      heading: () => {
        const { choices } = playback;
        const chosen = [
          controlTitle(choices, config),
          titleOf(RULES, choices.rule),
          linkLabel(side.snapshot().link),
        ];
        return `${config.film.title}: ${chosen.join(", ")}`;
      },
      charts: elementById("charts", HTMLElement),
      drawAll,
      onFailure: (sentence) => this.#fail(sentence),
    });
  }

  async #help(): Promise<void> {
    (await import("./keys-help.ts")).showKeys();
  }

  #fail(error: unknown): void {
    this.#options.notice.show(error instanceof Error ? error.message : String(error), MATTER);
  }
}
