import { expect, it } from "vitest";
import { LINK_LIMITS } from "../../../../server/link/link-limits.ts";
import type { LinkState } from "../../options/server-config.ts";
import { linkFromQuery, unknownLink, withLink, withLinkNumbers } from "./link-query.ts";

const query = (text: string): URLSearchParams => new URLSearchParams(text);
const over = (link: LinkState | null) => ({ link, linkLimits: LINK_LIMITS });
const steps = { name: "steps" } as LinkState;

it("asks for the query's link where it is not there already", () => {
  expect(linkFromQuery(query(""), over(steps))).toBeNull();
  expect(linkFromQuery(query("link=steps"), over(steps))).toBeNull();
  expect(linkFromQuery(query("link=none"), over(null))).toBeNull();
  expect(linkFromQuery(query("link=none"), over(steps))).toEqual({ name: "none" });
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

it("tells and takes the link's numbers, too", () => {
  const own = { name: "steps", delayMs: 30, queuePackets: 200, lossRatio: 0.015 } as LinkState;
  const text = withLinkNumbers(query("rule=bola"), own).toString();
  expect(text).toBe("rule=bola&link=steps&link_delay_ms=30&link_queue_packets=200&link_loss_percent=1.5");
  expect(linkFromQuery(query(text), over(own))).toBeNull();
  expect(linkFromQuery(query(text), over({ ...own, delayMs: 20 }))).toEqual({
    name: "steps",
    delayMs: 30,
    queuePackets: 200,
    lossRatio: 0.015,
  });
  expect(withLink(query(text), { ...own, delayMs: 20 }, true).get("link_delay_ms")).toBe("20");
  expect(withLinkNumbers(query(text), null).toString()).toBe("rule=bola&link=none");
});
