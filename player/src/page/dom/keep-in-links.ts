/** What holds for every view: which film, and that nothing is reported. */
export const KEPT = ["film", "telemetry"] as const;

/** The page's links lead to the other views as they are wanted here. */
export function keepInLinks(query: URLSearchParams): void {
  const kept = KEPT.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  if (kept.length === 0) {
    return;
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="./"]')) {
    link.search = new URLSearchParams(kept).toString();
  }
}
