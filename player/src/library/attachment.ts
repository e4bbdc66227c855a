import type { MediaPlayerClass } from "dashjs";
import { atom } from "nanostores";
import { changeSettings } from "../dash/change-settings.ts";
import { cmcdSettings } from "../dash/cmcd-settings.ts";
import type { LoadedManifest } from "../dash/dashjs-internals.ts";
import { FilmVmaf } from "../dash/film-vmaf.ts";
import { listenTo } from "../dash/listen-to.ts";
import { addOwnRule } from "../dash/own-rules.ts";
import type { DecisionRecord, PlayLog, SegmentRecord, SwitchRecord } from "../dash/play-log.ts";
import { PlayerExtensions } from "../dash/player-extensions.ts";
import { playerNeed } from "../dash/player-need.ts";
import { ruleSettings, SESSION_SETTINGS } from "../dash/player-settings.ts";
import { RuleNetwork } from "../dash/rule-network.ts";
import { seekWithoutIslands } from "../dash/seek-without-islands.ts";
import type { SegmentLoaderOptions } from "../dash/segment-loader.ts";
import { DECODE_SETTINGS, skipUndecodable } from "../dash/skip-undecodable.ts";
import { ThroughputSource } from "../dash/throughput-source.ts";
import { SessionFace } from "../options/session-face.ts";
import { isOwnRule, type RuleChoice, throughputKindOf } from "../rules/registry.ts";
import type { MediaSession } from "../session/media-session.ts";
import { needTeller } from "../session/need-teller.ts";
import { warnOfOutside } from "../session/served-path.ts";
import { watch, watchNews } from "../session/watch.ts";
import type { CheckedOptions } from "./checked-options.ts";
import type { NuwaAttachment, NuwaEvents, NuwaRecords } from "./nuwa-api.ts";
import { PlayRecorder } from "./play-recorder.ts";
import { ruleOf } from "./rule-choice.ts";
import type { ServedFolder } from "./served-folder.ts";

const DETACHED = "the library is detached";

/** What the library has put into one player. */
export class Attachment extends SessionFace<NuwaEvents> implements NuwaAttachment {
  readonly #player: MediaPlayerClass;
  readonly #session: MediaSession;
  readonly #options: CheckedOptions;
  readonly #log: PlayLog;
  readonly #throughput: ThroughputSource;
  readonly #network: RuleNetwork;
  readonly #recorder: PlayRecorder;
  readonly #undo: (() => void)[] = [];
  readonly #folder: ServedFolder;
  /** Where the newest manifest came from, after redirects: relative URLs of segments start there. null if from the page. */
  #manifestUrl: string | null = null;
  #vmaf: FilmVmaf | undefined;

  constructor(
    player: MediaPlayerClass,
    session: MediaSession,
    options: CheckedOptions,
    folder: ServedFolder,
    log: PlayLog,
  ) {
    const rule = ruleOf(options);
    const recorder = new PlayRecorder({ player, log, ruleName: rule?.name ?? null, nowMs: epochMs });
    const { lastSwitch, lastSegment } = recorder;
    const { path, estimate: measured, state } = session;
    const events = { path, estimate: measured, session: state, switch: lastSwitch, segment: lastSegment };
    super(session, options, events);
    this.#player = player;
    this.#session = session;
    this.#options = options;
    this.#recorder = recorder;
    this.#log = log;
    this.#folder = folder;
    // A comparison is clean only if the rules see nothing that dash.js does not know.
    const estimate = options.estimator === "dashjs" ? atom(null) : measured;
    this.#network = new RuleNetwork(estimate);
    this.#throughput = new ThroughputSource({
      bitsPerSecond: () => this.#network.throughputBitsPerSecond(throughputKindOf(rule)),
      safetyFactor: () => player.getSettings().streaming?.abr?.throughput?.bandwidthSafetyFactor ?? 1,
    });
    watchNews(lastSegment, (segment) => this.#rememberThroughput(segment));
    this.#extend();
    const tellNeed = needTeller(
      () => playerNeed(player),
      (need) => session.tell(need),
    );
    this.#undo.push(watch(measured, tellNeed));
    this.#undo.push(seekWithoutIslands(player));
    if (options.skipUndecodable !== false) {
      this.#undo.push(changeSettings(player, DECODE_SETTINGS), skipUndecodable(player));
    }
    if (options.server !== null) {
      this.#undo.push(changeSettings(player, SESSION_SETTINGS));
    }
    if (options.cmcd !== undefined) {
      const keys = player.getSettings().streaming?.cmcd?.enabledKeys ?? [];
      this.#undo.push(changeSettings(player, cmcdSettings(options.cmcd, keys)));
    }
    if (rule !== null) {
      this.#choose(rule);
    }
  }

  dashjsBitsPerSecond(): number | null {
    return this.#throughput.dashjsBitsPerSecond();
  }

  records(): NuwaRecords {
    return this.#log.records();
  }

  lastSwitch(): SwitchRecord | null {
    return this.#recorder.lastSwitch.get();
  }

  lastDecision(): DecisionRecord | null {
    return this.#recorder.lastDecision();
  }

  segmentAt(seconds: number): SegmentRecord | null {
    return this.#recorder.segmentAt(seconds);
  }

  detach(): void {
    if (!this.end(DETACHED)) {
      return;
    }
    for (const undo of this.#undo.splice(0).reverse()) {
      undo();
    }
  }

  #extend(): void {
    const extensions = PlayerExtensions.of(this.#player);
    extensions.take(this.#player, {
      segments: this.#options.server === null ? null : this.#segments(),
      beforeDecision: (context) => this.#throughput.attach(context.getThroughputController()),
      afterDecision: (context, decision) => this.#recorder.onDecision(decision, context.getMediaType()),
    });
    this.#undo.push(
      listenTo(this.#player, {
        manifestLoaded: ({ data }: { readonly data: LoadedManifest }) => this.#onManifest(data),
      }),
      this.#recorder.close,
      this.#network.close,
      () => {
        extensions.leave();
        this.#throughput.detach();
      },
    );
  }

  #segments(): SegmentLoaderOptions {
    const { baseUrl: said } = this.#options;
    const baseUrl = (): string => said ?? this.#usualFolder();
    return {
      paths: this.#session.paths,
      baseUrl,
      servedFilm: () => this.#folder.first().film,
      onOutside: warnOfOutside(() =>
        said === undefined
          ? `${baseUrl()}, where its first film is, unless baseUrl says another`
          : `baseUrl ${said}`,
      ),
      nowMs: epochMs,
      onFailure: (url, error) => console.warn(`${url}: ${error instanceof Error ? error.message : error}`),
    };
  }

  #usualFolder(): string {
    const { url } = this.#folder.first();
    if (this.#manifestUrl === null || url === null) {
      throw new Error("The player's source is no URL: say in baseUrl what the media server serves.");
    }
    return url;
  }

  /** Settings go before rules: dash.js adds custom rules once more with every later assignment of an active rule. */
  #choose(rule: RuleChoice): void {
    this.#undo.push(changeSettings(this.#player, ruleSettings(rule)));
    if (isOwnRule(rule)) {
      const vmaf = rule.readsVmaf === true ? new FilmVmaf() : undefined;
      this.#vmaf = vmaf;
      this.#undo.push(
        addOwnRule({ player: this.#player, rule, network: this.#network, vmaf, nowMs: epochMs }),
      );
    }
  }

  #onManifest({ url }: LoadedManifest): void {
    this.#manifestUrl = url ?? null;
    if (url !== undefined) {
      this.#folder.onManifest(this.#player.getSource(), url);
    }
    void this.#vmaf?.look(this.#manifestUrl);
  }

  #rememberThroughput(segment: SegmentRecord): void {
    this.#network.addSegment(segment);
    const bitsPerSecond = this.dashjsBitsPerSecond();
    if (bitsPerSecond !== null) {
      this.#network.addThroughput(segment.endedAtMs, bitsPerSecond);
    }
  }
}

const epochMs = (): number => performance.timeOrigin + performance.now();
