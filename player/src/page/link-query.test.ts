import { expect, it } from "vitest";
import { linkFromQuery, unknownLink, withLink } from "./link-query.ts";
import type { LinkState } from "./server-config.ts";

const query = (text: string): URLSearchParams => new URLSearchParams(text);
const steps = { name: "steps" } as LinkState;

it("asks for the query's link where it is not there already", () => {
  expect(linkFromQuery(query(""), steps)).toBeNull();
  expect(linkFromQuery(query("link=steps"), steps)).toBeNull();
  expect(linkFromQuery(query("link=none"), null)).toBeNull();
  expect(linkFromQuery(query("link=none"), steps)).toEqual({ name: "none" });
});

it("says which link there is, after a refusal too, but not of its own accord", () => {
  expect(withLink(query("rule=bola"), steps, true).toString()).toBe("rule=bola&link=steps");
  expect(withLink(query("link=moon"), steps, false).toString()).toBe("link=steps");
  expect(withLink(query("link=moon"), null, false).toString()).toBe("link=none");
  expect(withLink(query("rule=bola"), steps, false).toString()).toBe("rule=bola");
});

it("knows the catalogue, rates and the link that there is", () => {
  const links = ["none", "steps"].map((name) => ({ name, title: name, summary: "" }));
  const own = { name: "my.trace" } as LinkState;
  for (const name of ["none", "steps", "12mbit", "my.trace"]) {
    expect(unknownLink(query(`link=${name}`), { link: own, links })).toBeNull();
  }
  expect(unknownLink(query(""), { link: null, links })).toBeNull();
  expect(unknownLink(query("link=moon"), { link: null, links })).toBe("moon");
});
