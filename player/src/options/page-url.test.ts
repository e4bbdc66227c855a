import { afterEach, expect, it, vi } from "vitest";
import { pageUrl } from "./page-url.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("is of the page, and names the option where it is no URL", () => {
  vi.stubGlobal("document", { baseURI: "https://film.example/watch/" });
  expect(pageUrl("baseUrl", "../film/")).toBe("https://film.example/film/");
  expect(pageUrl("baseUrl", new URL("https://other.example/film"))).toBe("https://other.example/film");
  expect(() => pageUrl("baseUrl", "http://")).toThrow(new TypeError("baseUrl is no URL: http://"));
});

it("is not at fault where there is no page, as on a server that renders one", () => {
  expect(() => pageUrl("baseUrl", "/film/")).toThrow(new ReferenceError("document is not defined"));
});
