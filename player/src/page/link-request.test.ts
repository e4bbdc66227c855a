import { describe, expect, it } from "vitest";
import { linkForm, linkRequest } from "./link-request.ts";

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
    [{ delayMs: "-1" }, "The delay must be a number from 0 to 1000, not -1."],
    [{ queuePackets: "many" }, "The queue must be a number from 1 to 100000, not many."],
    [{ lossPercent: "51" }, "The loss must be a number from 0 to 50, not 51."],
    [{ name: "rate", megabitsPerSecond: "0" }, "The rate must be a number from 0.1 to 1000, not 0."],
  ])("refuses %j in one sentence", (changes, sentence) => {
    expect(() => linkRequest({ ...form, ...changes })).toThrow(sentence);
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
    expect(linkForm({ ...link, name: "lte-like" }).name).toBe("lte-like");
    expect(linkForm(null)).toMatchObject({ name: "none", delayMs: "20" });
  });
});
