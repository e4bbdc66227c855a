import type { TimeWindow } from "../link/metrics.ts";
import type { EstimateRecord } from "../page-process/job.ts";
import { maximum, quantile } from "../statistics.ts";

/** How late the page's receiver woke: at most in a second, over a run. What it measured then is partly this computer's. */
export interface HostLateness {
  medianMs: number;
  maxMs: number;
  /** It was late more often than not: the run says more of the computer than of the scheme. */
  isOverloaded: boolean;
}

/** Less than a picture of the film, and than any target delay but the shortest. */
const LATE_MS = 30;

/** null where the page tells nothing of it. */
export function hostLateness(
  estimates: readonly Pick<EstimateRecord, "atMs" | "hostLateMs">[],
  window: TimeWindow,
): HostLateness | null {
  const within = estimates.filter(({ atMs }) => atMs >= window.fromMs && atMs < window.toMs);
  const lateMs = within.map(({ hostLateMs }) => hostLateMs).filter((value) => Number.isFinite(value));
  const medianMs = quantile(lateMs, 0.5);
  const maxMs = maximum(lateMs);
  if (medianMs === null || maxMs === null) return null;
  return { medianMs, maxMs, isOverloaded: medianMs >= LATE_MS };
}
