/**
 * Nobody may read any more what the server says, as where it goes into a program that has ended: it goes on, and stops as it is
 * told to, as the media server does.
 *
 * @returns takes the listeners off again
 */
export function surviveUnreadOutput(
  streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr],
): () => void {
  const ignore = () => undefined;
  for (const stream of streams) stream.on("error", ignore);
  return () => {
    for (const stream of streams) stream.off("error", ignore);
  };
}
