import { requireType, requireTypes, warnOfUnknown } from "../options/option-types.ts";
import { pageUrl } from "../options/page-url.ts";
import { OPTION_NAMES } from "../options/session-options.ts";
import { folderUrl } from "../session/policy/folder-url.ts";
import { requireEstimator } from "./estimators.ts";
import type { NuwaOptions } from "./nuwa-api.ts";
import { ruleOf } from "./rule-choice.ts";

export interface CheckedOptions extends NuwaOptions {
  /** Absolute, with the slash at its end. */
  readonly baseUrl?: string;
}

const NAMES: Readonly<Record<keyof NuwaOptions, true>> = {
  ...OPTION_NAMES,
  baseUrl: true,
  rule: true,
  estimator: true,
  cmcd: true,
  skipUndecodable: true,
};

/**
 * With absolute URLs. Throws where there is no such rule or estimator, and TypeError for what is no URL or of another type:
 * nothing is opened yet.
 */
export function checkedOptions(options: NuwaOptions): CheckedOptions {
  requireType("options", options, "object");
  warnOfUnknown(options, NAMES);
  requireTypes(options, {
    cmcd: ["object"],
    estimator: ["string"],
    rule: ["string", "null"],
    skipUndecodable: ["boolean"],
  });
  ruleOf(options);
  const { baseUrl, ...others } = options;
  const { cmcd, estimator = "receiver" } = others;
  requireEstimator(estimator);
  return {
    ...others,
    ...(baseUrl === undefined ? {} : { baseUrl: folderUrl(pageUrl("baseUrl", baseUrl)) }),
    ...(cmcd?.collector === undefined
      ? {}
      : { cmcd: { ...cmcd, collector: pageUrl("cmcd.collector", cmcd.collector) } }),
  };
}
