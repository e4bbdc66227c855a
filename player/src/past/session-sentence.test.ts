import { expect, it } from "vitest";
import { type SpokenSession, sessionSentence } from "./session-sentence.ts";

const session: SpokenSession = {
  name: "Nuwa",
  rows: [
    { title: "Stalls", texts: ["1", "0"] },
    { title: "First frame, s", texts: ["–", "0.50"] },
  ],
  place: 0,
  series: {
    stalls: [{ fromSeconds: 62, toSeconds: 65.1 }],
    changes: [{ atSeconds: 90, scheme: "cubic", preset: null, rule: null, estimator: null }],
  },
  nameOf: ({ scheme }) => scheme ?? "other settings",
};

it("says what is drawn of a session: measures, stalls and changes", () => {
  expect(sessionSentence(session)).toBe(
    "Nuwa. Stalls: 1. It stalled at 1:02 for 3.1 s. cubic was chosen at 1:30.",
  );
  expect(sessionSentence({ ...session, place: 1, series: null })).toBe(
    "Nuwa. Stalls: 0. First frame, s: 0.50.",
  );
});

it("names the first of many stalls, and counts the others", () => {
  const stalls = Array.from({ length: 12 }, (_, place) => ({ fromSeconds: place, toSeconds: place + 0.5 }));
  const sentence = sessionSentence({ ...session, rows: [], series: { stalls, changes: [] } });
  expect(sentence).toMatch(/^Nuwa\. It stalled at 0:00 for 0\.5 s, .*at 0:09 for 0\.5 s, and 2 more\.$/);
});
