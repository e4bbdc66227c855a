import type { EstimatorName } from "./nuwa-api.ts";

export const ESTIMATORS = ["receiver", "dashjs"] as const satisfies readonly EstimatorName[];

/** Throws where there is no such estimator: to a script without types it would be the receiver's. */
export function requireEstimator(estimator: EstimatorName): void {
  if (!ESTIMATORS.includes(estimator)) {
    throw new Error(`There is no estimator ${estimator}; choose one of ${ESTIMATORS.join(", ")}.`);
  }
}
