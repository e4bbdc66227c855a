import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Rgb = readonly [number, number, number];
type Colours = Readonly<Record<string, Rgb>>;

/** WCAG 2.2: 1.4.3, and 1.4.11 for lines and edges. */
const TEXT_RATIO = 4.5;
const LINE_RATIO = 3;

/** What is written in a colour, and what it stands on. */
const TEXTS = {
  ground: ["ink", "quiet", "accent", "alert", "series-a", "series-b", "mark"],
  raised: ["ink", "quiet", "accent", "alert"],
  "alert-ground": ["alert"],
} as const;
/** Lines are drawn over the area below the link's rate, too, whose own line is its edge. */
const LINES = {
  ground: [
    ...["edge", "series-a", "series-b", "series-c", "series-quiet", "series-truth"],
    ...["stall-edge", "hatch-edge"],
  ],
  raised: ["edge", "accent"],
  "link-area": ["series-a", "series-b", "series-c", "series-quiet"],
} as const;
/** As chart-plot.ts fills an area. */
const AREA_OPACITY = 0.2;

const CSS = readFileSync(new URL("colours.css", import.meta.url), "utf8");

describe.each(["light", "dark"] as const)("the %s colours", (mode) => {
  const colours = coloursOf(mode);

  it.each(pairs(TEXTS))("write %s legibly on %s", (colour, ground) => {
    expect(contrast(named(colours, colour), named(colours, ground))).toBeGreaterThanOrEqual(TEXT_RATIO);
  });

  it.each(pairs(LINES))("draw %s visibly on %s", (colour, ground) => {
    expect(contrast(named(colours, colour), named(colours, ground))).toBeGreaterThanOrEqual(LINE_RATIO);
  });

  it("draw charts on the page's own ground", () => {
    expect(colours["chart-ground"]).toEqual(colours.ground);
  });
});

it("leaves no series out", () => {
  const series = Object.keys(coloursOf("light")).filter((name) => name.startsWith("series-"));
  expect(LINES.ground).toEqual(expect.arrayContaining(series));
});

it("knows the ratios that WCAG gives", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21);
  expect(contrast(rgb("#777777"), rgb("#ffffff"))).toBeCloseTo(4.48, 2);
});

function pairs(table: Readonly<Record<string, readonly string[]>>): [string, string][] {
  return Object.entries(table).flatMap(([ground, colours]) =>
    colours.map((colour): [string, string] => [colour, ground]),
  );
}

/** Those that are opaque, as `--name: light-dark(#rrggbb, #rrggbb)` has them. */
function coloursOf(mode: "light" | "dark"): Colours {
  const found = CSS.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g);
  const colours = Object.fromEntries(
    [...found].map(([, name = "", light = "", dark = ""]) => [name, rgb(mode === "light" ? light : dark)]),
  );
  const area = over(named(colours, "series-truth"), named(colours, "ground"), AREA_OPACITY);
  return { ...colours, "link-area": area };
}

function named(colours: Colours, name: string): Rgb {
  const colour = colours[name];
  if (colour === undefined) throw new Error(`colours.css has no opaque colour --${name}`);
  return colour;
}

function rgb(hex: string): Rgb {
  const part = (from: number): number => Number.parseInt(hex.slice(from, from + 2), 16);
  return [part(1), part(3), part(5)];
}

function over([red, green, blue]: Rgb, ground: Rgb, opacity: number): Rgb {
  const mixed = (value: number, below: number): number => opacity * value + (1 - opacity) * below;
  return [mixed(red, ground[0]), mixed(green, ground[1]), mixed(blue, ground[2])];
}

/** WCAG's contrast ratio, 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG's relative luminance. */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
