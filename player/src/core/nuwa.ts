import type { NuwaCore, NuwaCoreOptions } from "./nuwa-types.ts";
import { openCore } from "./open-core.ts";

/**
 * Opens a session. Throws where there is no such preset and where the server's address is none, RangeError for numbers
 * outside their ranges, and TypeError where `baseUrl` is no URL.
 */
export function openNuwa(options: NuwaCoreOptions): NuwaCore {
  return openCore(options);
}
