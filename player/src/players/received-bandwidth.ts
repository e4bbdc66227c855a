import type { NuwaCore } from "../core/nuwa-types.ts";

/** The receiver's estimate of the bandwidth; null while it has none, as over HTTP. */
export function receivedBitsPerSecond(nuwa: NuwaCore): number | null {
  const bitsPerSecond = nuwa.estimate()?.bandwidthBitsPerSecond ?? 0;
  return bitsPerSecond > 0 ? bitsPerSecond : null;
}
