import { requireType, warnOfUnknown } from "../options/option-types.ts";
import { pageUrl } from "../options/page-url.ts";
import { OPTION_NAMES, sessionOptionsOf } from "../options/session-options.ts";
import { MediaSession, type MediaSessionOptions } from "../session/media-session.ts";
import { folderUrl } from "../session/policy/folder-url.ts";
import { CoreSession } from "./core-session.ts";
import type { NuwaCore, NuwaCoreOptions } from "./nuwa-types.ts";
import { workerOfScheme } from "./worker-of-scheme.ts";

const NAMES: Readonly<Record<keyof NuwaCoreOptions, true>> = { ...OPTION_NAMES, baseUrl: true };

/** @param open for tests: what stands in for the worker's session */
export function openCore(options: NuwaCoreOptions, open?: MediaSessionOptions["open"]): NuwaCore {
  requireType("options", options, "object");
  warnOfUnknown(options, NAMES);
  const baseUrl = folderUrl(pageUrl("baseUrl", options.baseUrl)); // before a session is opened for nothing
  const session = new MediaSession({
    ...sessionOptionsOf(options),
    stamps: null,
    workerOf: workerOfScheme,
    open,
  });
  return new CoreSession(session, baseUrl, options);
}
