import { expect, test } from "vitest";
import { firstLink } from "./first-link.ts";

test("a page that may not change the link asks for none", () => {
  expect(firstLink({ mayChangeLink: false })).toBeNull();
  expect(firstLink({ mayChangeLink: true })).toMatchObject({ name: "steps" });
});
