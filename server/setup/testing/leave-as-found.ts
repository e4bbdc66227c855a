import { afterAll, vi } from "vitest";

/** Test files share a worker, one after the other: none leaves another's clock, globals or environment changed. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
