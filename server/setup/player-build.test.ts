import { expect, test } from "vitest";
import { requireBuildableFolder } from "./player-build.ts";

test("a clone in whose path Vite finds no files is refused in a sentence", () => {
  for (const folder of ["/home/a/C#/nuwa", "/home/a/why?/nuwa"])
    expect(() => requireBuildableFolder(folder)).toThrow(
      `the page cannot be built in ${folder}, whose path has # or ?: move the clone to another folder`,
    );
  requireBuildableFolder("/home/a b/[100%]/nuwa's");
});
