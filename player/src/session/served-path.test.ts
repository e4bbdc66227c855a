import { expect, it } from "vitest";
import { servedPath } from "./served-path.ts";

const BASE = "http://localhost:8080/film/";

it.each([
  ["below the directory, decoded and without its query", `${BASE}a%20b/seg-1.m4s?t=1`, "a b/seg-1.m4s"],
  ["of another directory", "http://localhost:8080/elsewhere/seg-1.m4s", null],
  ["with a stray percent sign", `${BASE}100%.m4s`, null],
])("of a URL %s", (_name, url, path) => {
  expect(servedPath(url, BASE)).toBe(path);
});
