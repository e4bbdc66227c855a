/** The receivers' half of the registry: a receiver-driven scheme of cc/registry.py has its line here. */

import { Drwa } from "./drwa.ts";
import { Kuafu } from "./kuafu.ts";
import { Nuwa, type NuwaParameters } from "./nuwa.ts";
import { NuwaRl } from "./nuwa-rl.ts";
import { Observer } from "./observer.ts";
import type { ReceiverScheme } from "./receiver-scheme.ts";

const nuwaRl = (parameters: NuwaParameters): ReceiverScheme => new NuwaRl(parameters);

/** What makes a receiver-driven scheme's receiver, by the scheme's name. */
export const RECEIVER_SCHEMES: Readonly<Record<string, (parameters: NuwaParameters) => ReceiverScheme>> = {
  nuwa: (parameters) => new Nuwa(parameters),
  "nuwa-rl": nuwaRl,
  "nuwa-rl-goodput": nuwaRl,
  kuafu: (parameters) => new Kuafu(parameters),
  drwa: () => new Drwa(),
};

/** The receiver for a scheme: its own, or for a sender-side scheme one that only measures. */
export function makeReceiver(schemeName: string, parameters: NuwaParameters): ReceiverScheme {
  const make = RECEIVER_SCHEMES[schemeName];
  return make === undefined ? new Observer() : make(parameters);
}
