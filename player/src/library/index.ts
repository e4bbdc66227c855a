/** The library's public face. */

export type { MediaPath } from "../dash/media-path.ts";
export type { SegmentRecord, SwitchRecord } from "../dash/play-log.ts";
export type { PolicySource } from "../policy/policy-files.ts";
export type { PolicyReport } from "../policy/policy-report.ts";
export type { NetworkEstimate } from "../receiver/network-estimate.ts";
export type { SessionState } from "../receiver/receiver-keeper.ts";
export { attachNuwa, prepareNuwa } from "./attach.ts";
export type {
  ControlNumbers,
  EstimatorName,
  MediaServerAddress,
  NuwaAttachment,
  NuwaEvents,
  NuwaOptions,
  NuwaRecords,
  PreparedNuwa,
} from "./nuwa-api.ts";
