import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { UnfoldingText } from "./unfolding-text.ts";

const LONG = "Over HTTP: the media server is full or cannot be reached";
/** Pixels: what the sentence takes, and the room for it. */
let neededHeight = 0;
const ROOM = 40;

const element = (id: string) => document.getElementById(id) as HTMLButtonElement;
const toggle = () => element("path-unfold");
const isUnfolded = () => toggle().getAttribute("aria-expanded");

let text: UnfoldingText;
beforeEach(() => {
  openSamplePage("index.html");
  const sentence = element("path-text");
  Object.defineProperty(sentence, "scrollHeight", { get: () => Math.max(neededHeight, ROOM) });
  Object.defineProperty(sentence, "clientHeight", { get: () => ROOM });
  text = new UnfoldingText(sentence, toggle());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function show(sentence: string, height: number): void {
  neededHeight = height;
  text.show(sentence);
}

it("offers the whole of a sentence that is cut off, and folds it in again", () => {
  show("Over WebTransport", 20);
  expect(toggle().hidden).toBe(true);
  show(LONG, 80);
  expect([element("path-text").textContent, toggle().hidden, isUnfolded()]).toEqual([LONG, false, "false"]);
  toggle().click();
  expect(isUnfolded()).toBe("true");
  show(LONG, 80); // as each frame does
  expect(isUnfolded()).toBe("true");
  toggle().click();
  expect(isUnfolded()).toBe("false");
});

it("is offered no longer where the folded sentence has got room", () => {
  show(LONG, 80);
  toggle().click();
  neededHeight = 20; // the phone was turned
  toggle().click();
  expect(toggle().hidden).toBe(true);
});

it("is folded for another sentence, and loses no focus with one that has room", () => {
  show(LONG, 80);
  toggle().focus();
  toggle().click();
  show(`${LONG}; it is tried again`, 90);
  expect([isUnfolded(), document.activeElement?.id]).toEqual(["false", "path-unfold"]);
  show("Over WebTransport", 20);
  expect([toggle().hidden, document.activeElement?.id]).toEqual([true, "main"]);
});
