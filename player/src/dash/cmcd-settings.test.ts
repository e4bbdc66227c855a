import { expect, test } from "vitest";
import { cmcdSettings } from "./cmcd-settings.ts";

test("a collector gets reports of all keys but the one that dash.js tells wrongly", () => {
  const { streaming } = cmcdSettings({ collector: "https://films.example/collect", contentId: "film" }, [
    "br",
    "ttfb",
    "bl",
  ]);
  expect(streaming?.cmcd).toMatchObject({
    enabled: true,
    version: 2,
    mode: "query",
    cid: "film",
    sid: null,
    eventTargets: [
      {
        url: "https://films.example/collect",
        enabledKeys: ["br", "bl"],
        events: expect.arrayContaining(["rr"]),
      },
    ],
  });
});

test("a collector's URL object is told to dash.js as text", () => {
  const { streaming } = cmcdSettings({ collector: new URL("https://films.example/collect") }, ["br"]);
  expect(streaming?.cmcd?.eventTargets).toMatchObject([{ url: "https://films.example/collect" }]);
});

test("without one only requests carry it, where they are asked to", () => {
  const { streaming } = cmcdSettings({ requests: "header", sessionId: "s" }, ["br"]);
  expect(streaming?.cmcd).toMatchObject({ mode: "headers", sid: "s", eventTargets: [] });
});
