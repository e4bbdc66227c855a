import { expect } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { onPage, test } from "./page.ts";

const SCREENS = { laptop: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } } as const;
const BETWEEN = [320, 600, 800, 1024, 1200].map((width) => ({ width, height: 800 }));
/** The narrowest screen that WCAG 1.4.10 has, CSS pixels. */
const NARROWEST = { width: 320, height: 640 } as const;
/** Room for two lines of a notice that comes, and what is below the footer. */
const MOST_BLANK_PIXELS = 130;
/** What this is, what can be changed, the film, what to watch and what it won. */
const ANSWERS = ["#link", "#scheme", "#film", ".claim-sentence", ".look ol", ".won ul"];

test("the first screen says what this is, what to watch and what it won", async ({ withPages }) => {
  await withPages(async (running) => {
    await onPage(running, "/", async (page) => {
      for (const [screen, viewport] of Object.entries(SCREENS)) {
        await page.setViewport(viewport);
        await page.evaluate("scrollTo(0, 0)");
        const below = await page.evaluate(
          (answers) =>
            answers.filter(
              (answer) =>
                (document.querySelector(answer)?.getBoundingClientRect().bottom ?? Infinity) > innerHeight,
            ),
          ANSWERS,
        );
        expect(below, screen).toEqual([]);
      }
      expect(await page.$$eval(".won code", (commands) => commands.length)).toBe(3);
    });
  });
});

test("on a phone what is changed and the charts of it are on one screen", async ({ withPages }) => {
  await withPages(async (running) => {
    await onPage(running, "/", async (page) => {
      await page.setViewport(SCREENS.phone);
      await page.waitForSelector("#charts canvas");
      await page.evaluate("document.querySelector('.charts-bar').scrollIntoView()");
      const [menus, bar, delays] = await page.evaluate(() =>
        ["#scheme", ".charts-bar", ".chart:nth-child(2)"].map((what) => {
          const { top, bottom } = document.querySelector(what)?.getBoundingClientRect() ?? {};
          return { top: top ?? Number.NaN, bottom: bottom ?? Number.NaN };
        }),
      );
      expect(menus?.top).toBeGreaterThanOrEqual(0);
      expect(bar?.top).toBeGreaterThanOrEqual(menus?.bottom ?? Number.NaN);
      expect(delays?.bottom).toBeLessThanOrEqual(SCREENS.phone.height);
    });
  });
});

test("on a phone what plays both films, over which link, stays in sight beside their charts", async ({
  withPages,
}) => {
  await withPages(async (running) => {
    await onPage(running, "/compare.html", async (page) => {
      await page.setViewport(SCREENS.phone);
      await page.waitForSelector("#charts canvas");
      await page.evaluate("document.querySelector('#charts').scrollIntoView()");
      const [play, link, charts] = await page.evaluate(() =>
        ["#play", "#link", "#charts"].map((what) => {
          const { top, bottom } = document.querySelector(what)?.getBoundingClientRect() ?? {};
          return { top: top ?? Number.NaN, bottom: bottom ?? Number.NaN };
        }),
      );
      expect(play?.top).toBeGreaterThanOrEqual(0);
      expect(charts?.top).toBeGreaterThanOrEqual(
        Math.max(play?.bottom ?? Number.NaN, link?.bottom ?? Number.NaN),
      );
    });
  });
});

test("nothing moves when a sentence is said, wherever the page is scrolled to, and it can be read there", async ({
  withPages,
}) => {
  await withPages(async (running) => {
    for (const path of ["/?autoplay=0", "/compare.html?autoplay=0"]) {
      const { page } = await openPage(running.browser, `${running.product.address}${path}`);
      await page.waitForSelector("#scheme:enabled, #left-scheme:enabled");
      for (const viewport of [...Object.values(SCREENS), ...BETWEEN]) {
        await page.setViewport(viewport);
        for (const share of [0, 0.5, 1]) {
          const seen = await page.evaluate(sayAndMeasure, share);
          expect(seen, `${path}, ${viewport.width} pixels, at ${share}`).toEqual({
            moved: [],
            isInSight: true,
          });
        }
        const blank = await page.evaluate(blankAtEnd);
        expect(blank, `the end of ${path}, ${viewport.width} pixels`).toBeGreaterThanOrEqual(0);
        expect(blank, `the end of ${path}, ${viewport.width} pixels`).toBeLessThanOrEqual(MOST_BLANK_PIXELS);
      }
      await page.close();
    }
  });
});

/** What stands elsewhere once there is a notice, this computer is said to be busy, and all else that is said is long. */
function sayAndMeasure(share: number): { moved: string[]; isInSight: boolean } {
  scrollTo(0, share * document.documentElement.scrollHeight);
  const parts = [...document.querySelectorAll("main > section, #sides, footer, .chart, select")];
  const places = () => parts.map((part) => part.getBoundingClientRect().top);
  const notice = document.querySelector<HTMLElement>("#notice");
  const late = document.querySelector<HTMLElement>("#late");
  if (notice === null || late === null) throw new Error("the page has places for both");
  const said: Readonly<Record<string, string>> = {
    "[id$=path-text]":
      "Over HTTP, round the emulated link: the media server closed the session: this server is busy (its event loop woke late by " +
      "up to 310 ms); try again in some seconds, or another server. WebTransport is tried again, after 60 s or so at the latest",
    "#last-switch":
      "5.00 → 8.00 Mbit/s by NuwaRule: counting on 100 % of 24.0 Mbit/s, 16.5 s buffered and 126 ms of queue, about 17.0 s of buffer " +
      "after it.",
    "#qoe":
      "Since the change 0:20 ago: no stalls, no switches, 8.0 Mbit/s on average; QoE_lin 8.0, 8.00 per segment. Whole film: first " +
      "frame after 1.52 s, no stalls, 3 switches, 6.7 Mbit/s on average; QoE_lin 120.6, 6.35 per segment.",
    "#shown-note": "On screen: 1920 × 1080, 12.00 Mbit/s, 1234 of 18888 frames dropped.",
  };
  const says = (isLong: boolean) => {
    for (const [what, text] of Object.entries(said)) {
      for (const element of document.querySelectorAll(what)) element.textContent = isLong ? text : "–";
    }
  };
  says(false);
  notice.hidden = true;
  late.textContent = "";
  const before = places();
  notice.textContent = "There is no rule called nuwaa; the nearest is nuwa. ".repeat(3);
  notice.hidden = false;
  late.textContent = "This computer is busy: up to 9990 ms of the delay may be its own, not the network’s.";
  says(true);
  const { top, bottom } = notice.getBoundingClientRect();
  const moved = places().flatMap((place, index) => {
    const { id, className, localName } = parts[index] ?? document.body;
    return place === before[index] ? [] : [`${localName} ${id || className}`];
  });
  return { moved, isInSight: top >= 0 && bottom <= innerHeight };
}

/** Of a page that is scrolled to its end while something is said: what is blank between its last line and the notice, pixels. */
async function blankAtEnd(): Promise<number> {
  const footer = document.querySelector("footer");
  const notice = document.querySelector("#notice");
  if (footer === null || notice === null) throw new Error("the page has both");
  for (const details of footer.querySelectorAll("details")) details.open = true;
  // the room is made for the notice's height once it is laid out
  await new Promise((laidOut) => requestAnimationFrame(() => requestAnimationFrame(laidOut)));
  scrollTo(0, document.documentElement.scrollHeight);
  const lines = document.createRange();
  lines.selectNodeContents(footer);
  return notice.getBoundingClientRect().top - lines.getBoundingClientRect().bottom;
}

test("of how a film comes, what has no room is read at a press, by keys, too", async ({ withPages }) => {
  await withPages(async (running) => {
    for (const path of ["/", "/compare.html"]) {
      await onPage(running, path, async (page) => {
        await page.setViewport(SCREENS.phone);
        await page.$eval(".path", (sentence) => {
          (sentence as HTMLElement).style.width = "4rem"; // as a long one on a phone
        });
        await page.waitForSelector(".path button:not([hidden])");
        expect(await page.$eval(".path span", isCut)).toBe(true);
        await page.focus(".path button");
        await page.keyboard.press("Enter");
        expect(await page.$eval(".path span", isCut)).toBe(false);
        await page.keyboard.press("Enter");
        expect(await page.$eval(".path span", isCut)).toBe(true);
      });
    }
  });
});

const isCut = ({ scrollHeight, clientHeight }: Element): boolean => scrollHeight > clientHeight;

test("the narrowest screen says which film it is, and why a menu cannot be opened", async ({ withPages }) => {
  await withPages(async (running) => {
    await onPage(running, "/?transport=http", async (page) => {
      await page.setViewport(NARROWEST);
      await page.waitForSelector("#scheme-summary.impediment");
      const shown = await page.$$eval("#title, #scheme-summary", (texts) =>
        texts.map((text) => text.checkVisibility() && text.textContent !== ""),
      );
      expect(shown).toEqual([true, true]);
    });
  });
});

test("charts reach back over the whole film, and can be held still", async ({ withPages }) => {
  await withPages(async (running) => {
    await onPage(running, "/", async (page) => {
      await page.waitForSelector("#charts canvas");
      const legend = "document.querySelector('#charts figure:last-child').textContent";
      for (const span of ["300", "all"]) {
        await page.select("#chart-span", span);
        await page.waitForFunction(
          (least) => document.querySelector<HTMLInputElement>("#reading")?.min === least,
          {},
          span === "all" ? "-60" : "-300",
        );
      }
      await page.locator("#chart-pause").click();
      const held = await page.evaluate(legend);
      await page.waitForFunction("document.querySelector('video').currentTime > 2");
      expect(await page.evaluate(legend)).toBe(held);
    });
  });
});

test("what a chart's question folds out has room, on a phone, too, and Escape closes it", async ({
  withPages,
}) => {
  await withPages(async (running) => {
    await onPage(running, "/", async (page) => {
      for (const viewport of [SCREENS.phone, { width: 1000, height: 768 }, SCREENS.laptop]) {
        await page.setViewport(viewport);
        const fits = await page.$$eval(".chart-note", (notes) =>
          notes.map((note) => {
            note.setAttribute("open", "");
            const box = note.querySelector("p")?.getBoundingClientRect();
            return box !== undefined && box.left >= 0 && box.right <= innerWidth;
          }),
        );
        expect(fits, `${viewport.width} pixels`).toEqual([true, true]);
      }
      await page.keyboard.press("Escape");
      expect(await page.$$(".chart-note[open]")).toEqual([]);
      expect(await page.$(".chart-note summary:focus")).not.toBeNull();
    });
  });
});
