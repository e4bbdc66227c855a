import { expect, test } from "vitest";
import { onPage, playsOn, withPages } from "./page.ts";

interface PageGlobals {
  nuwaStream: { snapshot(): { link: { name: string } | null; path: { kind: string } | null } };
}

test("links can be emulated, changed and taken away while the film plays", async (context) => {
  await withPages(context, async (running) => {
    await onPage(running, "/", async (page) => {
      const names = await page.$$eval("#link option", (options) => options.map(({ value }) => value));
      expect(names[0]).toBe("none");
      for (const name of [...names.slice(1, 3), "none"]) {
        await page.select("#link", name);
        await page.waitForFunction(
          (wanted) =>
            ((globalThis as unknown as PageGlobals).nuwaStream.snapshot().link?.name ?? "none") === wanted,
          {},
          name,
        );
        await playsOn(page, 3);
        await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
      }
    });
  });
});
