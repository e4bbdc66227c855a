import { describe, expect, it } from "vitest";
import { isRate, LINK_LIMITS } from "../../../../server/link/link-limits.ts";
import { checkEntry, linkForm, linkRequest, megabitsOf, requestForm } from "./link-request.ts";

const form = {
  name: "lte-like",
  megabitsPerSecond: "24",
  delayMs: "20",
  queuePackets: "300",
  lossPercent: "0.5",
};

describe("the link form", () => {
  it("becomes what the server takes", () => {
    expect(linkRequest(form)).toEqual({
      name: "lte-like",
      delayMs: 20,
      queuePackets: 300,
      lossRatio: 0.005,
    });
  });

  it("names a rate where one is chosen", () => {
    expect(linkRequest({ ...form, name: "rate" }).name).toBe("24mbit");
    expect(linkRequest({ ...form, name: "rate", megabitsPerSecond: "" }).name).toBe("10mbit");
  });

  it("leaves to the server what is empty", () => {
    expect(linkRequest({ ...form, delayMs: "", queuePackets: " ", lossPercent: "" })).toEqual({
      name: "lte-like",
    });
  });

  it("asks for nothing else with no link", () => {
    expect(linkRequest({ ...form, name: "none", delayMs: "nonsense" })).toEqual({ name: "none" });
  });

  it.each([
    ["delayMs", "-1", "The delay must be a number from 0 to 1000, not -1."],
    ["queuePackets", "many", "The queue must be a number from 1 to 20000, not many."],
    ["lossPercent", "51", "The loss must be a number from 0 to 50, not 51."],
    ["megabitsPerSecond", "-3", "The rate must be a number not below 0, not -3."],
  ] as const)("refuses a bad %s in one sentence, whatever the others are", (entry, text, sentence) => {
    const bad = { ...form, delayMs: "nonsense", queuePackets: "0", [entry]: text };
    expect(() => checkEntry(bad, entry, LINK_LIMITS)).toThrow(sentence);
    expect(() => checkEntry(form, entry, LINK_LIMITS)).not.toThrow();
    expect(() => checkEntry({ ...form, [entry]: " " }, entry, LINK_LIMITS)).not.toThrow();
  });

  it("shows again what it asked for, and what it left to the server as it stands", () => {
    const present = { ...form, name: "steps", delayMs: "7", queuePackets: "8", lossPercent: "9" };
    const named = { ...form, megabitsPerSecond: "" };
    expect(requestForm(linkRequest(named), present)).toEqual(named);
    expect(requestForm(linkRequest({ ...form, name: "rate" }), present)).toEqual({ ...form, name: "rate" });
    expect(requestForm({ name: "none" }, present)).toEqual({
      ...present,
      name: "none",
      megabitsPerSecond: "",
    });
  });

  it("shows a link as it is", () => {
    const link = {
      name: "24mbit",
      title: "24 Mbit/s",
      delayMs: 10,
      queuePackets: null,
      queueBytes: null,
      lossRatio: 0.001,
      startedAtMs: 0,
      capacity: null,
    };
    expect(linkForm(link)).toEqual({
      name: "rate",
      megabitsPerSecond: "24",
      delayMs: "10",
      queuePackets: "",
      lossPercent: "0.1",
    });
    expect(linkForm({ ...link, name: "500kbit" })).toMatchObject({ name: "rate", megabitsPerSecond: "0.5" });
    expect(linkForm({ ...link, name: "1gbit" })).toMatchObject({ name: "rate", megabitsPerSecond: "1000" });
    expect(linkForm({ ...link, name: "lte-like" })).toMatchObject({
      name: "lte-like",
      megabitsPerSecond: "",
    });
    expect(linkForm(null)).toMatchObject({ name: "none", delayMs: "20", megabitsPerSecond: "" });
  });
});

it.each(["24mbit", "1.5mbit", "500kbit", "2GBIT", "24", "mbit", "1.mbit", "-1mbit", "24mbit.up", "1e3kbit"])(
  "%s is a rate where the server takes it for one",
  (name) => {
    expect(megabitsOf(name) !== null).toBe(isRate(name));
  },
);
