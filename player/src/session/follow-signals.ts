/**
 * Aborts the controller with the first of these signals that is aborted, and with its reason. What it returns ends that.
 * `AbortSignal.any` would do it in Chrome 116, Firefox 124 and Safari 17.4; the library plays in older ones, too.
 */
export function followSignals(controller: AbortController, ...signals: readonly AbortSignal[]): () => void {
  const ends = signals.map((signal) => {
    const abort = (): void => controller.abort(signal.reason);
    signal.aborted ? abort() : signal.addEventListener("abort", abort);
    return () => signal.removeEventListener("abort", abort);
  });
  return () => {
    for (const end of ends) {
      end();
    }
  };
}
