import { sessionOptionsOf } from "../options/session-options.ts";
import { MediaSession, type MediaSessionOptions } from "../session/media-session.ts";
import { StampLog } from "../session/stamp-record.ts";
import { CoreSession } from "./core-session.ts";
import type { NuwaCore, NuwaCoreOptions } from "./nuwa-types.ts";
import { workerOfScheme } from "./worker-of-scheme.ts";

/** Opens a session. Throws where there is no such preset, and RangeError for numbers outside their ranges. */
export function openNuwa(
  options: NuwaCoreOptions,
  /** For tests: what stands in for the worker's session. */
  open?: MediaSessionOptions["open"],
): NuwaCore {
  const session = new MediaSession({
    ...sessionOptionsOf(options),
    stamps: new StampLog(),
    workerOf: workerOfScheme,
    open,
  });
  return new CoreSession(session, options);
}
