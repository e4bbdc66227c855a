import { expect, test } from "vitest";
import { leave, requireBrowser } from "../requirements.ts";
import { fetchRealFilm, RealFilmError } from "./real-film.ts";
import { runScenario } from "./scenario.ts";

test("a real film clip is packaged and plays to its end", async (context) => {
  await requireBrowser(context);
  const path = await fetchRealFilm().catch((error: unknown) => {
    if (error instanceof RealFilmError) return leave(context, `no film clip: ${error.message}`);
    throw error;
  });
  const { bundle } = await runScenario(context, {
    name: "loopback-real-film",
    link: null,
    workload: { kind: "film", source: { kind: "file", path }, watchSeconds: 7, seeks: [] },
  });
  expect(bundle.film?.durationSeconds).toBeGreaterThan(5);
  expect(bundle.metrics.playback?.playedSeconds).toBeGreaterThan(4.5);
});
