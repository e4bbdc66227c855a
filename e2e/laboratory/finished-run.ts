import type { RunRecord } from "./store.ts";

/** A run that is over, well or badly, and the name of its row file. */
export interface FinishedRun {
  key: string;
  record: RunRecord;
}
