/** The library's public face. */

export type {
  ControlNumbers,
  EstimatorName,
  MediaPath,
  MediaServerAddress,
  NuwaAttachment,
  NuwaEvents,
  NuwaOptions,
  NuwaRecords,
} from "./nuwa-api.ts";
