import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { CaptionMenu } from "./caption-menu.ts";

const TRACKS = [
  { key: "en", title: "English" },
  { key: "de", title: "German" },
];
let tracks: typeof TRACKS;
let present: string | null;
let menu: CaptionMenu;

const said = () => document.getElementById("controls-said")?.textContent;
const control = () => document.getElementById("captions-control") as HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(page: "index.html" | "compare.html"): ReturnType<typeof openSamplePage> {
  const window = openSamplePage(page);
  [tracks, present] = [TRACKS, null];
  menu = new CaptionMenu({
    offered: () => tracks,
    present: () => present,
    take: (key) => {
      present = key;
    },
  });
  return window;
}

it.each(["index.html", "compare.html"] as const)("%s offers the captions that there are", (page) => {
  const { Event } = open(page);
  menu.show();
  const select = document.getElementById("captions") as HTMLSelectElement;
  expect([control().hidden, ...[...select.options].map(({ text }) => text)]).toEqual([
    false,
    "None",
    "English",
    "German",
  ]);
  select.value = "de";
  select.dispatchEvent(new Event("change") as unknown as globalThis.Event);
  expect(present).toBe("de");
  tracks = [];
  menu.show();
  expect(control().hidden).toBe(true);
});

it("goes through them by a key, and round again: none is out of reach", () => {
  open("compare.html");
  menu.next();
  expect([present, said()]).toEqual(["en", "Captions: English"]);
  menu.next();
  menu.next();
  expect([present, said()]).toEqual([null, "No captions"]);
  menu.next();
  expect(present).toBe("en");
  tracks = [];
  menu.next();
  expect(said()).toBe("This film has no captions");
});
