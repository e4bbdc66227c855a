import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { launchBrowser, openPage } from "../browsers/browser.ts";
import { presentationOf } from "../cell/presentation.ts";
import { GrowingFilm } from "../product/growing-film.ts";
import { Product } from "../product/product.ts";
import { BUILT_PLAYER } from "../product/with-page.ts";
import { requireBrowser } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

const AT_END =
  "(({ ended, paused, currentTime, duration }) => ended || (paused && duration - currentTime < 0.5))(document.querySelector('video'))";

test("a film that is still being packaged plays to its end over WebTransport", async (context) => {
  const program = await requireBrowser(context);
  const whole = await presentationOf(TEST_FILM, () => undefined);
  await using film = await GrowingFilm.begin(whole, { present: 2, total: 5 });
  await using product = await Product.start({
    args: ["--port", "0"],
    presentation: film.presentation,
    playerDirectory: BUILT_PLAYER,
  });
  const browser = await launchBrowser(program);
  try {
    const overHttp: string[] = [];
    let manifests = 0;
    const { page, problems } = await openPage(browser, product.address, async (blank) => {
      blank.on("request", (request) => {
        if (request.url().endsWith(".m4s")) overHttp.push(request.url());
        if (request.url().endsWith(".mpd")) manifests += 1;
      });
      await film.startClock();
    });
    while (!film.isWhole) {
      await pause(film.nextAtMs - Date.now());
      await film.grow();
    }
    await page.waitForFunction(AT_END); // dash.js may pause just before the end
    const playedTo = await page.evaluate("document.querySelector('video').currentTime");
    expect(playedTo).toBeCloseTo(film.presentation.durationSeconds, 0);
    expect(manifests).toBeGreaterThan(1); // it was growing
    expect([overHttp, problems]).toEqual([[], []]);
  } finally {
    await browser.close();
  }
});
