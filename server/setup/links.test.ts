import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { chooseLink } from "./links.mjs";

const LINKS = [
  { name: "none", title: "No emulated link", summary: "s" },
  { name: "lte-like", title: "LTE", summary: "s" },
];

test("a link is a known name, a rate, or a file, in this order", () => {
  const folder = temporaryFolder();
  const file = join(folder, "lte-like");
  writeFileSync(file, "1\n");
  expect(chooseLink(null, LINKS)).toBeNull();
  expect(chooseLink({ text: "lte-like", file }, LINKS)).toBe("lte-like");
  expect(chooseLink({ text: "1.5mbit", file: join(folder, "1.5mbit") }, LINKS)).toBe("1.5mbit");
  expect(chooseLink({ text: "mine", file }, LINKS)).toBe(file);
});

test.each(["moon", "24mbits", ""])(
  "%j, of which there is no file either, is told with the known names",
  (text) => {
    const file = join(temporaryFolder(), "nothing");
    expect(() => chooseLink({ text, file }, LINKS)).toThrow(
      `unknown link "${text}": choose one of none, lte-like, a rate such as 24mbit, or a file with a trace`,
    );
  },
);
