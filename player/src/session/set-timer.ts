/** Runs `callback` once after `delayMs`; what it returns cancels it. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

/** The browser's timers. */
export function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** Calls back again and again; what it returns ends that. */
export function every(callback: () => void, intervalMs: number): () => void {
  const timer = setInterval(callback, intervalMs);
  return () => clearInterval(timer);
}
