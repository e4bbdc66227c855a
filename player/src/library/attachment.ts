import type { MediaPlayerClass, MediaPlayerSettingClass } from "dashjs";
import { addCustomRules, CUSTOM_RULES } from "../dash/custom-rules.ts";
import type { SegmentRecord, SwitchRecord } from "../dash/play-log.ts";
import { PlayerExtensions } from "../dash/player-extensions.ts";
import { ruleSettings, SESSION_SETTINGS, settingsUnder } from "../dash/player-settings.ts";
import type { SegmentLoaderOptions } from "../dash/segment-loader.ts";
import { ThroughputSource } from "../dash/throughput-source.ts";
import { BandwidthHistory } from "../rules/bandwidth-outlook.ts";
import { RULES, type RuleChoice } from "../rules/registry.ts";
import type { MediaPath } from "../session/media-path.ts";
import type { MediaSession } from "../session/media-session.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { folderUrl } from "../session/policy/folder-url.ts";
import { Listeners } from "./listeners.ts";
import type { NuwaAttachment, NuwaEvents, NuwaOptions, NuwaRecords } from "./nuwa-api.ts";
import { PlayRecorder } from "./play-recorder.ts";

const DETACHED = "the library is detached";

/** What the library has put into one player. */
export class Attachment implements NuwaAttachment {
  readonly #player: MediaPlayerClass;
  readonly #session: MediaSession;
  readonly #options: NuwaOptions;
  readonly #events = new Listeners<Pick<NuwaEvents, "switch" | "segment">>();
  readonly #throughput: ThroughputSource;
  readonly #recorder: PlayRecorder;
  /** What NuwaRule goes by where the receiver's estimate is unknown, stale or not to be used. */
  readonly #dashjsHistory = new BandwidthHistory();
  readonly #undo: (() => void)[] = [];
  #isAttached = true;

  constructor(player: MediaPlayerClass, session: MediaSession, options: NuwaOptions) {
    this.#player = player;
    this.#session = session;
    this.#options = options;
    const rule = ruleOf(options);
    this.#throughput = new ThroughputSource({
      estimateBitsPerSecond: () => this.#receiversEstimate()?.bandwidthBitsPerSecond ?? null,
      safetyFactor: () => player.getSettings().streaming?.abr?.throughput?.bandwidthSafetyFactor ?? 1,
    });
    this.#recorder = new PlayRecorder({
      player,
      ruleName: rule?.name ?? null,
      nowMs: epochMs,
      onSwitch: (record) => this.#events.tell("switch", record),
      onSegment: (record) => {
        this.#rememberThroughput(record.endedAtMs);
        this.#events.tell("segment", record);
      },
    });
    this.#extend();
    if (options.server !== null) {
      this.#set(SESSION_SETTINGS);
    }
    if (rule !== null) {
      this.#choose(rule);
    }
  }

  path(): MediaPath {
    return this.#session.chooser.path();
  }

  estimate(): NetworkEstimate | null {
    return this.#session.estimate();
  }

  dashjsBitsPerSecond(): number | null {
    return this.#throughput.dashjsBitsPerSecond();
  }

  records(): NuwaRecords {
    return {
      stamps: this.#session.stamps(),
      switches: [...this.#recorder.switches],
      segments: [...this.#recorder.segments],
    };
  }

  lastSwitch(): SwitchRecord | null {
    return this.#recorder.switches.at(-1) ?? null;
  }

  segmentAt(seconds: number): SegmentRecord | null {
    const found = this.#recorder.segments.findLast(
      ({ mediaType, startSeconds, durationSeconds }) =>
        mediaType === "video" && startSeconds <= seconds && seconds < startSeconds + durationSeconds,
    );
    return found ?? null;
  }

  change(choices: Pick<NuwaOptions, "scheme" | "preset">): void {
    this.#session.change(choices);
  }

  reconnect(): void {
    this.#session.reconnect();
  }

  on<T extends keyof NuwaEvents>(type: T, listener: (event: NuwaEvents[T]) => void): () => void {
    const ofPlayer = type === "switch" || type === "segment";
    const events = (ofPlayer ? this.#events : this.#session.events) as unknown as Listeners<NuwaEvents>;
    return events.on(type, listener);
  }

  detach(): void {
    if (!this.#isAttached) {
      return;
    }
    this.#isAttached = false;
    this.#events.clear();
    this.#session.close(DETACHED); // first: what is open goes on over HTTP
    for (const undo of this.#undo.splice(0).toReversed()) {
      undo();
    }
  }

  #extend(): void {
    const extensions = PlayerExtensions.of(this.#player);
    extensions.take(this.#player, {
      segments: this.#options.server === null ? null : this.#segments(),
      beforeDecision: (context) => this.#throughput.attach(context.getThroughputController()),
      afterDecision: (_context, decision) => this.#recorder.onDecision(decision),
    });
    this.#undo.push(() => {
      extensions.leave();
      this.#throughput.detach();
      this.#recorder.close();
    });
  }

  #segments(): SegmentLoaderOptions {
    const { baseUrl } = this.#options;
    return {
      chooser: this.#session.chooser,
      baseUrl: () =>
        baseUrl === undefined ? directoryOf(this.#player.getSource()) : folderUrl(baseUrl, document.baseURI),
      nowMs: epochMs,
      onFailure: (url, error) => console.warn(`${url}: ${error instanceof Error ? error.message : error}`),
    };
  }

  /** Settings go before rules: dash.js adds custom rules once more with every later assignment of an active rule. */
  #choose(rule: RuleChoice): void {
    this.#set(ruleSettings(rule));
    this.#undo.push(
      addCustomRules(this.#player, CUSTOM_RULES[rule.name] ?? [], {
        player: this.#player,
        isActive: () => this.#isAttached,
        estimate: () => this.#receiversEstimate(),
        outlook: () => this.#receiversOutlook() ?? this.#dashjsHistory.outlook(),
        bufferTargetSeconds: () => this.#player.getSettings().streaming?.buffer?.bufferTimeDefault ?? 0,
      }),
    );
  }

  #set(settings: MediaPlayerSettingClass): void {
    const before = settingsUnder(this.#player.getSettings(), settings);
    this.#player.updateSettings(settings);
    this.#undo.push(() => {
      this.#player.updateSettings(before);
      chooseBolaWhereItIsAlone(this.#player);
    });
  }

  /** A comparison is clean only if the rule is told nothing that dash.js does not know. */
  #usesReceiver(): boolean {
    return this.#isAttached && this.#options.server !== null && this.#options.estimator !== "dashjs";
  }

  #receiversEstimate(): NetworkEstimate | null {
    return this.#usesReceiver() ? this.#session.estimate() : null;
  }

  #receiversOutlook() {
    return this.#usesReceiver() ? this.#session.outlook() : null;
  }

  #rememberThroughput(atMs: number): void {
    const bitsPerSecond = this.dashjsBitsPerSecond();
    if (bitsPerSecond !== null) {
      this.#dashjsHistory.add(atMs / 1000, bitsPerSecond, true);
    }
  }
}

/** dash.js decides only at a stream's beginning that BOLA rules alone; switched on later it would never be asked. */
function chooseBolaWhereItIsAlone(player: MediaPlayerClass): void {
  const rules = player.getSettings().streaming?.abr?.rules;
  if (rules?.bolaRule?.active === true && rules.throughputRule?.active !== true) {
    for (const mediaType of ["video", "audio"]) {
      PlayerExtensions.of(player).collection?.setBolaState(mediaType, true);
    }
  }
}

/** null where the player keeps its own rules. Throws where there is no such rule. */
export function ruleOf({ rule = "nuwa" }: NuwaOptions): RuleChoice | null {
  if (rule === null) {
    return null;
  }
  const found = RULES.find(({ name }) => name === rule);
  if (found === undefined) {
    throw new Error(`There is no rule ${rule}; choose one of ${RULES.map(({ name }) => name).join(", ")}.`);
  }
  return found;
}

function directoryOf(source: string | object): string {
  if (typeof source !== "string") {
    throw new Error("The player's source is no URL: say in baseUrl which directory the media server serves.");
  }
  return new URL(".", new URL(source, document.baseURI)).href;
}

const epochMs = (): number => performance.timeOrigin + performance.now();
