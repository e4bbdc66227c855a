/** Shaka Player over a receiver of ours: `attachShaka(shaka, player, nuwa)` before `player.load()`. */

import type shaka from "shaka-player";
import type { NuwaCore } from "../core/nuwa-types.ts";
import { needTeller } from "../session/need-teller.ts";
import { warnOfOutside } from "../session/served-path.ts";
import { ReceivedBandwidth } from "./received-bandwidth.ts";
import { shakaNeed } from "./shaka-need.ts";
import { registerPlugin, segmentFilter } from "./shaka-plugin.ts";

type Shaka = typeof shaka;

/** Shaka takes what came faster for the browser's cache's, unless told otherwise. */
const CACHE_MS = 5;

/**
 * Segments of `player` that the media server serves come by `nuwa`, and its choice of variant goes by the receiver's
 * estimate; the receiver is told what the player needs. Call it before `load()`. Throws where the player is destroyed.
 *
 * @returns what takes it off, and gives the player its `abrFactory` back; it closes nothing
 */
export function attachShaka(namespace: Shaka, player: shaka.Player, nuwa: NuwaCore): () => void {
  const network = player.getNetworkingEngine();
  if (network === null) {
    throw new Error("This Shaka Player is destroyed: attach Nuwa to a new one.");
  }
  registerPlugin(namespace);
  const filter = segmentFilter(
    namespace,
    nuwa,
    warnOfOutside(() => "the core's baseUrl"),
  );
  network.registerRequestFilter(filter);
  const { abrFactory } = player.getConfiguration();
  const received = new ReceivedBandwidth(nuwa);
  player.configure("abrFactory", () => estimatingAbr(namespace, received));
  const stopTelling = nuwa.on(
    "estimate",
    needTeller(
      () => shakaNeed(player),
      (need) => nuwa.tell(need),
    ),
  );
  return () => {
    stopTelling();
    received.close();
    network.unregisterRequestFilter(filter);
    if (player.getLoadMode() !== namespace.Player.LoadMode.DESTROYED) {
      player.configure("abrFactory", abrFactory);
    }
  };
}

/** Shaka's own manager, to which the link is as fast as the receiver says in the mean, while it says so. */
function estimatingAbr({ abr }: Shaka, received: ReceivedBandwidth): shaka.extern.AbrManager {
  class EstimatingAbr extends abr.SimpleAbrManager {
    override getBandwidthEstimate(): number {
      return received.bitsPerSecond() ?? super.getBandwidthEstimate();
    }

    override segmentDownloaded(
      deltaTimeMs: number,
      bytes: number,
      allowSwitch: boolean,
      request?: shaka.extern.Request,
      context?: shaka.extern.RequestContext,
    ): void {
      // No cache has what came over the session; without samples of its own Shaka would not choose anew.
      const durationMs = received.bitsPerSecond() === null ? deltaTimeMs : Math.max(CACHE_MS, deltaTimeMs);
      super.segmentDownloaded(durationMs, bytes, allowSwitch, request, context);
    }
  }
  return new EstimatingAbr();
}
