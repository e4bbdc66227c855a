/** NuwaRule's constants in this process: a search plays films by others than those that are chosen. */

import { OUTLOOK_TIMES, type OutlookTimes } from "../../player/src/rules/bandwidth-outlook.ts";
import { NUWA_PARAMETERS, type NuwaParameters } from "../../player/src/rules/nuwa-parameters.ts";

export type NuwaConstants = NuwaParameters & OutlookTimes;

/** Those that the page has. */
export const CHOSEN: NuwaConstants = { ...NUWA_PARAMETERS, ...OUTLOOK_TIMES };

/** For the films that follow; what is not named is as chosen. */
export function useConstants(named: Partial<NuwaConstants>): void {
  const all = { ...CHOSEN, ...named };
  for (const chosen of [NUWA_PARAMETERS, OUTLOOK_TIMES]) {
    for (const name of Object.keys(chosen)) {
      Reflect.set(chosen, name, all[name as keyof NuwaConstants]);
    }
  }
}
