import type { MediaPlayerClass } from "dashjs";
import { PlayLog } from "../dash/play-log.ts";
import { PlayerExtensions } from "../dash/player-extensions.ts";
import { sessionOptionsOf } from "../options/session-options.ts";
import { MediaSession, type MediaSessionOptions } from "../session/media-session.ts";
import { Attachment } from "./attachment.ts";
import { checkedOptions } from "./checked-options.ts";
import type { NuwaOptions, PreparedNuwa } from "./nuwa-api.ts";
import { ServedFolder } from "./served-folder.ts";

export interface SessionSurroundings {
  /** Where what happens is kept; a page that makes one session after another keeps it in one. */
  readonly log?: PlayLog;
  /** For tests: what stands in for the worker's session. */
  readonly open?: MediaSessionOptions["open"];
}

/** As the pages use it: the session's stores can be read from the beginning. */
export interface PreparedSession extends PreparedNuwa {
  readonly session: MediaSession;
}

/** Opens the session at once, for a player that is still on its way. */
export function prepareSession(
  said: NuwaOptions,
  { log = new PlayLog(), open }: SessionSurroundings = {},
): PreparedSession {
  const options = checkedOptions(said); // before a session is opened for nothing
  const { address: ask, ...others } = sessionOptionsOf(options);
  const folder = new ServedFolder(options.server);
  const address = ask && ((signal: AbortSignal) => ask(signal).then(folder.learn));
  const openSession = () => new MediaSession({ ...others, address, stamps: log.stamps, open });
  let session = openSession();
  let isTaken = false;
  return {
    get session() {
      return session;
    },
    attach(player) {
      refuseTaken(player);
      if (session.isClosed) {
        session = openSession();
      } else if (isTaken) {
        throw new Error("This prepared session is another player's; detach() that, or prepare one for each.");
      }
      isTaken = true;
      const attachment = new Attachment(player, session, options, folder, log);
      attachAnew(player);
      return attachment;
    },
    close: () => session.close("closed"),
  };
}

/** Throws where the player has an attachment, and TypeError where it is none of dash.js. */
export function refuseTaken(player: MediaPlayerClass): void {
  if (typeof Object(player).extend !== "function") {
    throw new TypeError(
      `The player must be one of dash.js, as MediaPlayer().create() gives it, not ${player}.`,
    );
  }
  if (PlayerExtensions.of(player).isTaken) {
    throw new Error("Nuwa is attached to this player already; use its change(), or detach() it first.");
  }
}

/** dash.js reads extensions and rules where a source is attached: one that is there is attached once more. */
function attachAnew(player: MediaPlayerClass): void {
  if (!player.isReady()) {
    return;
  }
  const source = player.getSource();
  const startsPlaying = player.getAutoPlay();
  const { currentTime, paused } = player.getVideoElement();
  const startSeconds = player.isDynamic() ? undefined : currentTime;
  player.setAutoPlay(!paused || (currentTime === 0 && startsPlaying));
  player.attachSource(source as string, startSeconds);
  player.setAutoPlay(startsPlaying);
}
