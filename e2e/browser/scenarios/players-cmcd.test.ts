import { join } from "node:path";
import type { Page } from "puppeteer";
import { expect } from "vitest";
import { EVENT_WORDS } from "../../../player/src/telemetry/vocabulary.ts";
import { ROOT } from "../environment.ts";
import { type RunningPages, test } from "./page.ts";

const KEYS = [
  ...EVENT_WORDS.map(({ key }) => key).filter((key) => !key.startsWith("nuwa-")),
  ...["sid", "cid", "sf", "st", "v"],
];

/** Players as they are published, without our code, reporting as server/telemetry/README.md has it. */
const PLAYERS = [
  {
    name: "dash.js",
    script: "dashjs/dist/modern/umd/dash.all.min.js",
    begin: `
      const player = dashjs.MediaPlayer().create();
      player.updateSettings({ streaming: { cmcd: { enabled: true, version: 2, cid: "film", eventTargets: [
        { enabled: true, url: "/api/telemetry/cmcd", events: ["ps", "bc", "e", "t"], interval: 1,
          enabledKeys: ${JSON.stringify(KEYS)} } ] } } });
      player.initialize(video, "/media/manifest.mpd", true);`,
    reported: [
      { e: "ps", sta: "p", br: expect.any(Number), bl: expect.any(Number) },
      { e: "t", sta: "p" },
    ],
  },
  {
    name: "Shaka Player",
    script: "shaka-player/dist/shaka-player.compiled.js",
    begin: `
      const player = new shaka.Player();
      player.configure({ cmcd: { enabled: true, version: 2, contentId: "film", eventTargets: [
        { enabled: true, mode: "event", url: location.origin + "/api/telemetry/cmcd", events: ["ps", "bc", "e", "t"], interval: 1,
          includeKeys: ${JSON.stringify(KEYS)} } ] } });
      await player.attach(video);
      await player.load(location.origin + "/media/manifest.mpd"); // with CMCD it takes no URL without a host
      await video.play();`,
    reported: [
      { e: "bc", br: expect.any(Number) },
      { e: "t", br: expect.any(Number), msd: expect.any(Number) },
    ],
  },
];

test("dash.js and Shaka Player report to the telemetry store by CMCD alone", async ({ withPages }) => {
  await withPages(async (running) => {
    for (const player of PLAYERS) await reports(running, player);
  });
});

async function reports(
  { product, browser }: RunningPages,
  { name, script, begin, reported }: (typeof PLAYERS)[number],
): Promise<void> {
  const page = await browser.newPage();
  await page.setBypassCSP(true);
  await page.goto(`${product.address}/healthz`);
  await page.addScriptTag({ path: join(ROOT, "node_modules", script) });
  const statuses = answersOf(page);
  const since = Date.now();
  await page.evaluate(`(async () => {
    const video = document.body.appendChild(document.createElement("video"));
    video.muted = true;
    ${begin}
  })()`);
  await page.waitForFunction("document.querySelector('video').currentTime > 3");
  await page.close();
  expect([name, ...new Set(statuses)]).toEqual([name, 204]);
  const answer = await fetch(`${product.address}/api/telemetry/events.json?fromMs=${since}`);
  const events: unknown = await answer.json();
  expect([name, events]).toEqual([
    name,
    expect.arrayContaining(reported.map((event) => expect.objectContaining(event))),
  ]);
}

/** The statuses of what the collector answers, as they come. */
function answersOf(page: Page): number[] {
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/cmcd")) statuses.push(response.status());
  });
  return statuses;
}
