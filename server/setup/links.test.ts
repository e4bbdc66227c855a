import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { chooseLink, requireReadableLink } from "./links.ts";

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
  expect(chooseLink({ text: "24Mbit", file: join(folder, "24Mbit") }, LINKS)).toBe("24mbit");
  expect(chooseLink({ text: "mine", file }, LINKS)).toBe(file);
});

test("a file that is no trace is told with its line", () => {
  const file = join(temporaryFolder(), "walk.csv");
  writeFileSync(file, "time_s,x_mbps\n0,1\n1,2\n");
  requireReadableLink(file, LINKS);
  writeFileSync(file, "time_s,x_mbps\n0,1\n1,fast\n");
  expect(() => requireReadableLink(file, LINKS)).toThrow(
    `--link: trace ${file}: line 3 has 'fast' for x_mbps, which is not a number: give a link's name, a rate`,
  );
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
