import type { NuwaParameters } from "../../../../cc/receiver/nuwa.ts";
import type { SessionParameters } from "../session-url.ts";

/** The session's numbers as cc/ takes them, in seconds. */
export function schemeParametersOf(parameters: SessionParameters): NuwaParameters {
  const { targetDelayMs, rhoMs, k, catchesUp, followsNeed, asInPaper } = parameters;
  return {
    targetDelaySeconds: targetDelayMs / 1000,
    rhoSeconds: rhoMs / 1000,
    k,
    catchesUp,
    followsNeed,
    asInPaper,
  };
}
