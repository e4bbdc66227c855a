import { pageUrl } from "../options/page-url.ts";
import { folderUrl } from "../session/policy/folder-url.ts";
import type { NuwaOptions } from "./nuwa-api.ts";
import { ruleOf } from "./rule-choice.ts";

/** With absolute URLs. Throws where there is no such rule, and TypeError for what is no URL: nothing is opened yet. */
export function checkedOptions(options: NuwaOptions): NuwaOptions {
  ruleOf(options);
  const { baseUrl, cmcd } = options;
  return {
    ...options,
    ...(baseUrl === undefined ? {} : { baseUrl: folderUrl(pageUrl("baseUrl", baseUrl)) }),
    ...(cmcd?.collector === undefined
      ? {}
      : { cmcd: { ...cmcd, collector: pageUrl("cmcd.collector", cmcd.collector) } }),
  };
}
