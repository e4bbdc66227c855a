import { expect, it } from "vitest";
import type { FilmConfig, ServerConfig } from "../../options/server-config.ts";
import type { Choices } from "./choices.ts";
import { shareComparison, sideQuery, unknownComparisonParameters, withSide } from "./side-query.ts";
import { NO_WISHES } from "./wishes.ts";

const SCHEMES = [{ name: "kuafu" }, { name: "cubic" }] as unknown as ServerConfig["schemes"];

const query = (text: string): URLSearchParams => new URLSearchParams(text);

it("compares one measurement for both loops with each loop by itself", () => {
  expect(sideQuery(query(""), "left", SCHEMES).toString()).toBe(
    "rule=nuwa&estimator=receiver&muted=1&autoplay=1",
  );
  expect(sideQuery(query(""), "right", SCHEMES).toString()).toBe(
    "scheme=cubic&rule=dynamic&estimator=dashjs&muted=1&autoplay=1",
  );
});

it("leaves the scheme to the server where its own is not offered", () => {
  const [kuafu] = SCHEMES;
  const right = sideQuery(query(""), "right", kuafu === undefined ? [] : [kuafu]);
  expect(right.toString()).toBe("rule=dynamic&estimator=dashjs&muted=1&autoplay=1");
});

it("takes each film's own choices, and what holds for both", () => {
  const both = query("left_k=3&right_scheme=newreno&rule=bola&transport=http");
  expect(sideQuery(both, "left", SCHEMES).get("k")).toBe("3");
  expect(sideQuery(both, "left", SCHEMES).get("rule")).toBe("nuwa");
  expect(sideQuery(both, "right", SCHEMES).get("scheme")).toBe("newreno");
  expect(sideQuery(both, "right", SCHEMES).get("k")).toBeNull();
  expect(sideQuery(both, "right", SCHEMES).get("transport")).toBe("http");
});

it("plays what is started, also where the page is not to start it by itself", () => {
  expect(sideQuery(query("autoplay=0"), "left", SCHEMES).get("autoplay")).toBe("1");
});

const choices: Choices = {
  scheme: "cubic",
  preset: "live",
  rule: "bola",
  estimator: "dashjs",
  k: null,
  targetDelayMs: 50,
  autoplay: true,
  muted: true,
  transport: "webtransport",
  bufferSeconds: null,
};

it("gives an address that has both films' settings, a quality that is held, and the link", () => {
  const film = { name: "sea" } as FilmConfig["film"];
  const config = { film, films: [film], links: [{ name: "none", title: "", summary: "" }] };
  const sides = [
    { name: "left", choices, wishes: { ...NO_WISHES, qualityKilobitsPerSecond: 320 } },
    { name: "right", choices: { ...choices, scheme: "newreno" }, wishes: NO_WISHES },
  ] as const;
  const { searchParams } = new URL(
    shareComparison("http://localhost/compare.html?right_quality_kbit=9", sides, { link: null, config }),
  );
  expect(sideQuery(searchParams, "left", SCHEMES).get("quality_kbit")).toBe("320");
  expect(searchParams.get("right_scheme")).toBe("newreno");
  expect(searchParams.has("right_quality_kbit")).toBe(false);
  expect(searchParams.get("link")).toBe("none");
});

it("keeps one film's choices beside the other's", () => {
  const next = withSide(query("left_k=3&right_scheme=newreno&link=steps"), "left", choices);
  expect(next.toString()).toBe(
    "right_scheme=newreno&link=steps&left_scheme=cubic&left_preset=live&left_rule=bola&left_estimator=dashjs" +
      "&left_target_delay_ms=50",
  );
});

it("has both films' captions and sound track in the same words", () => {
  const both = query("captions=en&sound=de-2");
  expect(unknownComparisonParameters(both)).toBeNull();
  const own = sideQuery(both, "right", SCHEMES);
  expect([own.get("captions"), own.get("sound")]).toEqual(["en", "de-2"]);
  expect(withSide(both, "right", choices).get("captions")).toBe("en");
});

it("names what a query says that has no meaning: a film's own choices need a side", () => {
  expect(unknownComparisonParameters(query("left_k=3&right_rule=bola&transport=http&link=none"))).toBeNull();
  expect(unknownComparisonParameters(query("scheme=cubic"))).toEqual({
    names: ["scheme"],
    known: expect.arrayContaining(["left_scheme", "right_rule", "transport"]),
  });
});
