import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refusalPage } from "./refusal-page.ts";
import { temporaryFolder } from "./sample-app.ts";

const SOURCE = readFileSync(new URL("../player/refused.html", import.meta.url), "utf8");

test("the page says the refusal in its title and in its text, as text", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "refused.html"), SOURCE);
  const page = refusalPage(folder)?.(400, 'no "<b>" & $& here') ?? "";
  expect(page.split("400 no &quot;&lt;b&gt;&quot; &amp; $&amp; here")).toHaveLength(3);
  expect(page).not.toContain("404");
});

test("its links lead on from any folder", () => {
  const links = [...SOURCE.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(links.filter((href) => href !== "data:,")).toEqual(
    expect.arrayContaining(["/", "/compare.html", "/sessions.html"]),
  );
  for (const href of links) expect(href).toMatch(/^(\/|data:,$)/);
});

test("pages that were built without one have none", () => {
  expect(refusalPage(temporaryFolder())).toBeNull();
});
