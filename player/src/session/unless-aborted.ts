/**
 * What the promise settles with, or a rejection with the signal's reason. The signal, which may live far longer, keeps no
 * listener: one would hold what the promise gave for as long.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let rejectNow = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    rejectNow = () => reject(signal.reason);
  });
  signal.aborted ? rejectNow() : signal.addEventListener("abort", rejectNow);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", rejectNow);
  }
}
