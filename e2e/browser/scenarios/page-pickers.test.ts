import type { Page } from "puppeteer";
import { expect } from "vitest";
import { cpuUseBetween, cpuUseOf, slowdownOf } from "../process/cpu-use.ts";
import { processGroupsOf } from "../product/with-page.ts";
import { choose, makeRoom, onPage, playsOn, type RunningPages, test } from "./page.ts";

const PICKERS = ["scheme", "preset", "rule", "estimator"];
/** What a choice takes on a slow machine, and playing on under it: nothing goes on at the film's end. */
const SECONDS_FOR_ONE = 4;
/** Between two looks at what the page says. */
const LOOK_MS = 20;

/**
 * What a page says of a session that answers late. On a machine whose processes wait for a processor for longer than they have
 * one that is no fault of the change; elsewhere it is.
 */
const LATENESS = /no session was open within|gives no sign of life/i;
const LATE_SLOWDOWN = 2;

interface Said {
  readonly notices: string[];
  /** Why segments came over HTTP. */
  readonly fallbacks: string[];
}

test("every choice can be taken while the film plays", async ({ withPages }) => {
  const pickAll = async (running: RunningPages): Promise<void> => {
    await onPage(running, "/", async (page) => {
      const groups = processGroupsOf({ product: running.product, browser: running.browser.browser() });
      const cpuBefore = await cpuUseOf(groups);
      await writeDownWhatIsSaid(page);
      for (const picker of PICKERS) {
        for (const value of await otherValues(page, picker)) {
          await makeRoom(page, SECONDS_FOR_ONE);
          await choose(page, picker, value);
          await playsOn(page, 0.5);
        }
      }
      const { notices, fallbacks } = await page.evaluate(
        () => (globalThis as unknown as { said: Said }).said,
      );
      const slowdown = slowdownOf(cpuUseBetween(cpuBefore, await cpuUseOf(groups)));
      const unexplained = (said: string) => slowdown < LATE_SLOWDOWN || !LATENESS.test(said);
      expect(notices.filter(unexplained), `a change is no trouble (slowdown ${slowdown})`).toEqual([]);
      expect(fallbacks.filter(unexplained), `nor a fallback (slowdown ${slowdown})`).toEqual([]);
    });
  };
  await withPages(pickAll);
});

/** Every notice and every way of the segments from here on, however short. */
async function writeDownWhatIsSaid(page: Page): Promise<void> {
  await page.evaluate((intervalMs) => {
    const said: Said = { notices: [], fallbacks: [] };
    Object.assign(globalThis, { said });
    const { nuwaStream } = globalThis as unknown as {
      nuwaStream: {
        snapshot(): { notice: string | null; path: { kind: string; reason: string | null } | null };
      };
    };
    setInterval(() => {
      const { notice, path } = nuwaStream.snapshot();
      if (notice !== null) said.notices.push(notice);
      if (path?.kind === "http") said.fallbacks.push(path.reason ?? "");
    }, intervalMs);
  }, LOOK_MS);
}

/** The first one last, so that the next picker is tried with the defaults. */
async function otherValues(page: Page, picker: string): Promise<string[]> {
  const values = await page.$$eval(`#${picker} option`, (options) => options.map(({ value }) => value));
  return [...values.slice(1), ...values.slice(0, 1)];
}
