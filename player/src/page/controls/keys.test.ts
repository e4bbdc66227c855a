import { expect, it } from "vitest";
import { actionOf, KEY_ENTRIES, type Pressed } from "./keys.ts";

const press = (key: string, modifiers: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...modifiers,
});

it("knows its keys, capitals too", () => {
  expect(actionOf(press(" "), "page", true)).toEqual({ kind: "play" });
  expect(actionOf(press("M"), "page", true)).toEqual({ kind: "mute" });
  expect(actionOf(press("ArrowLeft"), "page", true)).toEqual({ kind: "seek", bySeconds: -5 });
  expect(actionOf(press("7"), "button", true)).toEqual({ kind: "place", share: 0.7 });
  expect(actionOf(press("q"), "page", true)).toEqual({ kind: "focus", id: "quality" });
  expect(actionOf(press("x"), "page", true)).toBeNull();
});

it("leaves the browser its own, and what has the focus its own", () => {
  expect(actionOf(press("f", { ctrlKey: true }), "page", true)).toBeNull();
  expect(actionOf(press(" "), "button", true)).toBeNull();
  expect(actionOf(press("k"), "menu", true)).toBeNull();
  expect(actionOf(press("?"), "text", true)).toBeNull();
});

it.each([" ", "ArrowLeft", "ArrowRight"])("leaves %j to a film's own controls", (key) => {
  expect(actionOf(press(key), "controls", true)).toBeNull();
});

it("has all other keys where a film's controls have the focus", () => {
  expect(actionOf(press("k"), "controls", true)).toEqual({ kind: "play" });
});

it("does nothing but help where it is turned off", () => {
  expect(actionOf(press("k"), "page", false)).toBeNull();
  expect(actionOf(press("?"), "menu", false)).toEqual({ kind: "help" });
});

it("gives no key two meanings", () => {
  const keys = KEY_ENTRIES.flatMap((entry) => entry.keys);
  expect(new Set(keys).size).toBe(keys.length);
});
