import type { MediaServerWorker } from "./media-server-address.ts";

/**
 * One of two workers taken by chance, that with fewer sessions. Pages read the same document at the same time: were all to
 * take the least, it would get all of them (Mitzenmacher, "How Useful Is Old Information?", 2000).
 *
 * @param random from 0 to below 1
 * @returns null where one of them does not say how many it has, and where there is none
 */
export function withFewSessions(
  workers: readonly MediaServerWorker[],
  random: () => number,
): MediaServerWorker | null {
  if (workers.some(({ sessions }) => typeof sessions !== "number")) return null;
  const left = [...workers];
  const [first, second] = [takeOne(left, random), takeOne(left, random)];
  if (first === null || second === null) return first;
  return (second.sessions ?? 0) < (first.sessions ?? 0) ? second : first;
}

function takeOne(left: MediaServerWorker[], random: () => number): MediaServerWorker | null {
  return left.splice(Math.floor(random() * left.length), 1)[0] ?? null;
}
