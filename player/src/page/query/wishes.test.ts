import { expect, it } from "vitest";
import { NO_WISHES, readWishes, withWishes } from "./wishes.ts";

const query = (text: string): URLSearchParams => new URLSearchParams(text);

it("are none where the query is silent", () => {
  expect(readWishes(query("scheme=nuwa"))).toEqual(NO_WISHES);
});

it("go into the query and come back", () => {
  const wishes = { qualityKilobitsPerSecond: 2800, captions: "en", sound: "de-2", loops: true };
  const text = withWishes(query("scheme=nuwa&loop=0"), wishes).toString();
  expect(text).toBe("scheme=nuwa&loop=1&quality_kbit=2800&captions=en&sound=de-2");
  expect(readWishes(query(text))).toEqual(wishes);
  expect(withWishes(query(text), NO_WISHES).toString()).toBe("scheme=nuwa");
});

it("refuse a quality that is no number, and a loop that is neither", () => {
  expect(() => readWishes(query("loop=forever"))).toThrow("loop must be 0 or 1, not forever.");
  expect(() => readWishes(query("quality_kbit=high"))).toThrow("quality_kbit must be a number from 1 to");
});
