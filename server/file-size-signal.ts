/**
 * A file that may not grow is told to whoever writes to it, as a full disk is. Node ignores the signal that comes with it, but
 * only until a library has listened to signals and stopped: from then on it would end the process.
 *
 * @returns takes the listener off again
 */
export function surviveFileSizeLimit(): () => void {
  const ignore = () => undefined;
  process.on("SIGXFSZ", ignore);
  return () => {
    process.off("SIGXFSZ", ignore);
  };
}
