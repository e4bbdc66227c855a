import type { MediaPlayerClass } from "dashjs";
import type { ExtensionScope, RulesCollection, RulesContext, SwitchRequest } from "./dashjs-internals.ts";
import { reachAborts } from "./reach-aborts.ts";
import { type SegmentLoaderOptions, segmentLoaderFactory } from "./segment-loader.ts";

/** What an attachment does inside dash.js. */
export interface Extension {
  /** null leaves segments to XHR. */
  readonly segments: SegmentLoaderOptions | null;
  /** Before dash.js's rules are asked. */
  readonly beforeDecision: (context: RulesContext) => void;
  /** What they decided for. */
  readonly afterDecision: (context: RulesContext, decision: SwitchRequest) => void;
}

/**
 * The extensions of one player. dash.js takes an extension for good, the first of a name; these stay and do nothing
 * while no attachment stands behind them.
 */
export class PlayerExtensions {
  static readonly #ofPlayer = new WeakMap<MediaPlayerClass, PlayerExtensions>();
  #extension: Extension | null = null;
  #hasLoader = false;
  #collection: RulesCollection | null = null;

  static of(player: MediaPlayerClass): PlayerExtensions {
    const known = PlayerExtensions.#ofPlayer.get(player);
    if (known !== undefined) {
      return known;
    }
    const extensions = new PlayerExtensions();
    PlayerExtensions.#ofPlayer.set(player, extensions);
    extensions.#extendRules(player);
    return extensions;
  }

  get isTaken(): boolean {
    return this.#extension !== null;
  }

  /** dash.js's collection of rules; null before the source is attached. */
  get collection(): RulesCollection | null {
    return this.#collection;
  }

  take(player: MediaPlayerClass, extension: Extension): void {
    this.#extension = extension;
    if (extension.segments !== null && !this.#hasLoader) {
      this.#hasLoader = true;
      player.extend(
        "XHRLoader",
        segmentLoaderFactory(() => this.#extension?.segments ?? null),
        false,
      );
    }
  }

  leave(): void {
    this.#extension = null;
  }

  #extendRules(player: MediaPlayerClass): void {
    const made = (collection: RulesCollection): void => {
      this.#collection = collection;
    };
    const decide = (
      context: RulesContext | undefined,
      ask: (context: RulesContext) => SwitchRequest | undefined,
    ): SwitchRequest | undefined => {
      const extension = this.#extension;
      if (context === undefined || extension === null) {
        return ask(context as RulesContext);
      }
      extension.beforeDecision(context);
      const decision = ask(context);
      if (decision?.representation) {
        extension.afterDecision(context, decision);
      }
      return decision;
    };
    player.extend(
      "ABRRulesCollection",
      function (this: ExtensionScope & { parent: RulesCollection }) {
        reachAborts(this); // made anew before the first segment of a source, and after dash.js has thrown its interceptors away
        // Taken before dash.js replaces them in the parent by what is returned here.
        const { getBestPossibleSwitchRequest, shouldAbandonFragment } = this.parent;
        made(this.parent);
        return {
          getBestPossibleSwitchRequest: (context?: RulesContext) =>
            decide(context, getBestPossibleSwitchRequest),
          shouldAbandonFragment: (context?: RulesContext) => decide(context, shouldAbandonFragment),
        };
      },
      true,
    );
  }
}
