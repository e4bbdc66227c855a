import { AxePuppeteer } from "@axe-core/puppeteer";
import type { Page } from "puppeteer";
import { expect } from "vitest";
import { onPage, playsOn, test } from "./page.ts";

test("a viewer holds a quality, loops, uses keys, and takes link and files along", async ({ withPages }) => {
  await withPages(async (running) => {
    await onPage(running, "/?link=none&muted=1&quality_kbit=320&loop=1", async (page) => {
      await page.waitForSelector("#quality:enabled");
      await page.waitForFunction(
        "document.getElementById('quality-note').textContent === 'You hold 234p, 0.30 Mbit/s; no rule chooses.'",
      );
      await page.waitForFunction("document.getElementById('shown-note').textContent.includes('416 × 234')");
      await page.select("#quality", "auto");
      expect(new URL(page.url()).searchParams.has("quality_kbit")).toBe(false);

      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press("k");
      expect(await page.$eval("video", ({ paused }) => paused)).toBe(true);
      await page.keyboard.press("k");
      expect(await page.$eval("#loop", (button) => button.getAttribute("aria-pressed"))).toBe("true");
      await page.evaluate("document.querySelector('video').currentTime = 29");
      await page.waitForFunction("document.querySelector('video').currentTime < 20"); // past the end, from the beginning
      await playsOn(page, 0.5);

      await page.keyboard.type("?");
      await page.waitForSelector("dialog[open] kbd");
      expect(await graveViolations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.waitForFunction("document.querySelector('dialog[open]') === null");
      await page.keyboard.press("d");
      await page.waitForSelector("dialog[open] .downloads");
      expect(await graveViolations(page)).toEqual([]);
      const files = await filesOf(page);
      expect(files.map(({ name }) => name.replace(/.*\./, ""))).toEqual(["csv", "json", "sqlog", "png"]);
      expect(files[0]?.head).toMatch(/^at_ms,position_s,/);
      expect(files[2]?.head).toContain('\u001e{"file_schema":"urn:ietf:params:qlog:file:sequential"');
      expect(files[3]?.head.slice(1, 4)).toBe("PNG");

      await page.keyboard.press("Escape");
      await page.click("#scheme-search");
      await page.waitForSelector("dialog[open] input");
      await page.type("dialog[open] input", "copa");
      await page.keyboard.press("Enter");
      await page.waitForFunction("document.querySelector('#scheme').value === 'copa'");
      await playsOn(page, 0.5);
      expect(await page.$("dialog")).toBeNull();
    });
  });
});

async function graveViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxePuppeteer(page).include("dialog").analyze();
  return violations.map(({ id }) => id);
}

/** Presses every button of the dialog, and reads what would be saved. */
function filesOf(page: Page): Promise<{ name: string; head: string }[]> {
  return page.evaluate(async () => {
    const saved: { name: string; head: string }[] = [];
    const createUrl = URL.createObjectURL;
    for (const button of document.querySelectorAll<HTMLButtonElement>(".downloads button")) {
      let made: Blob | null = null;
      URL.createObjectURL = (blob: Blob) => {
        made = blob;
        return createUrl.call(URL, blob);
      };
      const name = await new Promise<string>((resolve) => {
        HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
          resolve(this.download);
        };
        button.click();
      });
      const bytes = new Uint8Array(await ((made as Blob | null) ?? new Blob()).slice(0, 90).arrayBuffer());
      saved.push({ name, head: String.fromCharCode(...bytes) });
    }
    return saved;
  });
}
