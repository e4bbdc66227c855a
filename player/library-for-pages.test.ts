import { expect, it } from "vitest";
import { ofNode } from "./library-for-pages.ts";

it("ends a build whose files ask for Node's environment", () => {
  expect(ofNode("core.js", 'if(process.env.NODE_ENV!=="production")f()')).toBe(
    "core.js names process.env.NODE_ENV, which no page has: define it in vite.library.config.ts",
  );
  expect(ofNode("core.js", "const processes = subprocess.environment; f(process)")).toBeNull();
});
