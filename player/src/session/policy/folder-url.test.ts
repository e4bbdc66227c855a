import { expect, it } from "vitest";
import { folderUrl } from "./folder-url.ts";

it.each([
  ["https://h/film/", "https://h/film/"],
  ["https://h/film", "https://h/film/"],
  ["https://h", "https://h/"],
  ["/film/", "http://localhost/film/"],
  ["film", "http://localhost/pages/film/"],
  ["/film?token=1#now", "http://localhost/film/"],
])("%s", (folder, url) => {
  expect(folderUrl(folder, "http://localhost/pages/index.html")).toBe(url);
});
