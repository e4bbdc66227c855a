/** The face of `nuwa-stream-player/core`: for players that are not dash.js. */

export type { Need } from "../../../cc/receiver/receiver-scheme.ts";
export type { ControlNumbers } from "../options/control-numbers.ts";
export type {
  MediaServerAddress,
  MediaServerSource,
  MediaServerWorker,
} from "../options/media-server-address.ts";
export type { PresetName, SchemeName } from "../options/names.ts";
export type { NuwaSessionOptions, SessionChoices } from "../options/session-options.ts";
export type { MediaPath } from "../session/media-path.ts";
export type { NetworkEstimate } from "../session/network-estimate.ts";
export type { PolicySource } from "../session/policy/policy-files.ts";
export type { PolicyReport } from "../session/policy/policy-report.ts";
export { RefusedSession, RequestFailed, SessionLost } from "../session/session-errors.ts";
export type { SessionState } from "../session/session-state.ts";
export type { ByteRange } from "../session/wire/request-line.ts";
export { openNuwa } from "./nuwa.ts";
export type {
  NuwaCore,
  NuwaCoreEvents,
  NuwaCoreOptions,
  SegmentAnswer,
  SegmentFetchInit,
  SegmentProgress,
} from "./nuwa-types.ts";
