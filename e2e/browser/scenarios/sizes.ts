import type { Page } from "puppeteer";

const PHONE = { width: 390, height: 844 } as const;
/** The narrowest screen that WCAG 1.4.10 has, CSS pixels. */
const NARROWEST = { width: 320, height: 640 } as const;
/** Browsers' own default, and twice that (WCAG 1.4.4). */
const USUAL_TEXT_PIXELS = 16;
const LARGE_TEXT_PIXELS = 32;
/** WCAG 2.5.5. */
const FINGER_PIXELS = 44;

/**
 * What of a page on a phone, or of the dialog over it, is pressed and too low for a finger, or lies on another such thing.
 * Folds are opened for it, and what is hidden is shown.
 */
export async function hardToPress(page: Page): Promise<string[]> {
  await page.setViewport(PHONE);
  return page.evaluate((leastPixels) => {
    scrollTo(0, 0); // what stays at the top lies over what is scrolled beneath it
    for (const fold of document.querySelectorAll("details")) {
      // an answer lies over what is below its question
      fold.open = !fold.matches(".chart-note") && fold.querySelector(".link-numbers") === null;
    }
    for (const hidden of document.querySelectorAll<HTMLElement>(
      ":is(header, main) [hidden]:not([type=file])",
    )) {
      hidden.hidden = false;
    }
    const over = document.querySelector("dialog[open]") ?? document;
    const targets = [...over.querySelectorAll<HTMLElement>("a, button, summary, select, input")]
      .filter((target) => target.checkVisibility({ visibilityProperty: true }))
      .filter((target) => !(target.closest("p") !== null && getComputedStyle(target).display === "inline"))
      .map((target) => ({
        name: `${target.localName} ${target.id || target.textContent?.trim()}`,
        isOver: target.closest(".notices") !== null, // the page, which is scrolled beneath it
        // a box is pressed anywhere in its label
        box: (
          (target.matches("[type=radio], [type=checkbox]") && target.closest("label")) ||
          target
        ).getBoundingClientRect(),
      }));
    const low = targets
      .filter(({ box }) => box.height < leastPixels - 0.05)
      .map(({ name, box }) => `${name} is ${box.height} pixels high`);
    const overlapping = targets.flatMap((one, place) =>
      targets
        .slice(place + 1)
        .filter(
          ({ box, isOver }) =>
            isOver === one.isOver &&
            Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left) > 0.5 &&
            Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top) > 0.5,
        )
        .map((other) => `${one.name} and ${other.name} overlap`),
    );
    return [...low, ...overlapping];
  }, FINGER_PIXELS);
}

/**
 * How large a page's text is on the narrowest screen, where the viewer wants it twice the usual size, and what makes the
 * page or a dialog over it scroll sideways.
 */
export async function largeText(page: Page): Promise<{ textPixels: string; tooWide: string[] }> {
  await page.setViewport(NARROWEST);
  await setTextPixels(page, LARGE_TEXT_PIXELS);
  // charts take up their new width as a frame is laid out
  await page.evaluate(
    () => new Promise((laidOut) => requestAnimationFrame(() => requestAnimationFrame(laidOut))),
  );
  const seen = await page.evaluate(() => ({
    textPixels: getComputedStyle(document.body).fontSize,
    tooWide: [document.documentElement, ...document.querySelectorAll("dialog")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .flatMap((scrolling) =>
        [scrolling, ...scrolling.querySelectorAll("*")]
          .filter((part) => part.getBoundingClientRect().right > scrolling.getBoundingClientRect().right)
          .map(({ localName, id, className }) => `${localName} ${id || className}`),
      ),
  }));
  await setTextPixels(page, USUAL_TEXT_PIXELS);
  return seen;
}

/** As a viewer sets it in the browser. */
async function setTextPixels(page: Page, standard: number): Promise<void> {
  const session = await page.createCDPSession();
  await session.send("Page.setFontSizes", { fontSizes: { standard } });
  await session.detach();
}
