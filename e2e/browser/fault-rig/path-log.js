/**
 * Runs in the page before anything of the page's own, and writes down by which path the page says that its media comes: every
 * change, looked for every 100 ms. Plain JavaScript, handed to the browser as it stands.
 */
(() => {
  /** @typedef {{ nuwaStream?: { snapshot(): { path?: { kind: string, reason: string | null } | null } } }} PageGlobals */

  const INTERVAL_MS = 100;

  /** @type {import("./outcome.ts").PathChange[]} */
  const changes = [];
  Object.defineProperty(globalThis, "nuwaPathLog", { value: changes });

  setInterval(() => {
    const { nuwaStream } = /** @type {PageGlobals} */ (/** @type {unknown} */ (globalThis));
    const path = nuwaStream?.snapshot().path ?? null;
    const kind = path?.kind ?? null;
    if (kind === (changes.at(-1)?.kind ?? null)) return;
    changes.push({ atMs: performance.timeOrigin + performance.now(), kind, reason: path?.reason ?? null });
  }, INTERVAL_MS);
})();
