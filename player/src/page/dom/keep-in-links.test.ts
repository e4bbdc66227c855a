import { afterEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { keepInLinks } from "./keep-in-links.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each(["index.html", "compare.html", "sessions.html"] as const)(
  "every link of %s to another view keeps the film, and that nothing is reported",
  (page) => {
    openSamplePage(page);
    keepInLinks(new URLSearchParams("telemetry=0&scheme=cubic&film=sea"));
    const links = [...document.querySelectorAll<HTMLAnchorElement>("nav a, .claim a")];
    expect(links.length).toBeGreaterThan(2);
    for (const { search } of links) {
      expect(search).toBe("?film=sea&telemetry=0");
    }
  },
);
