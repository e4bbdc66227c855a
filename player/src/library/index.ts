/** The library's public face. */

export type { Phase } from "../../../cc/receiver/receiver-scheme.ts";
export type { CmcdOptions } from "../dash/cmcd-settings.ts";
export type { DecisionRecord, SegmentRecord, SwitchRecord } from "../dash/play-log.ts";
export type { ControlNumbers } from "../options/control-numbers.ts";
export type {
  MediaServerAddress,
  MediaServerSource,
  MediaServerWorker,
} from "../options/media-server-address.ts";
export type { PresetName, RuleName, SchemeName } from "../options/names.ts";
export type { NuwaSessionOptions, SessionChoices } from "../options/session-options.ts";
export type { MediaPath } from "../session/media-path.ts";
export type { NetworkEstimate } from "../session/network-estimate.ts";
export type { PolicySource } from "../session/policy/policy-files.ts";
export type { PolicyReport } from "../session/policy/policy-report.ts";
export { RefusedSession, SessionLost } from "../session/session-errors.ts";
export type { SessionState } from "../session/session-state.ts";
export type { StampRecord } from "../session/stamp-record.ts";
export { attachNuwa, prepareNuwa } from "./attach.ts";
export type {
  EstimatorName,
  NuwaAttachment,
  NuwaEvents,
  NuwaOptions,
  NuwaRecords,
  PreparedNuwa,
} from "./nuwa-api.ts";
