import type { PolicyReport } from "./policy-report.ts";

/** Writes to the console why a learned scheme does without its policy, once a trouble. */
export class TroubleLog {
  #trouble: string | null = null;

  add(report: PolicyReport | null): void {
    const trouble = report?.trouble ?? null;
    if (trouble !== null && trouble !== this.#trouble) {
      const detail = report?.detail == null ? "" : ` (${report.detail})`;
      console.warn(`${report?.scheme} runs its heuristic: ${trouble}${detail}`);
    }
    this.#trouble = trouble;
  }
}
