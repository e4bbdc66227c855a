import { expect, it } from "vitest";
import { lengthNotes } from "./length-notes.ts";

const FRAME_RATE = { numerator: 25, denominator: 1 };
const DAMAGE = "[vist#0:0/h264 @ 0x5587] [dec:h264 @ 0x55] Error submitting packet to decoder: Invalid data";

it.each([
  ["whole", 10, 10, undefined, [], ""],
  ["a little shorter than it says", 8.5, 10, undefined, [], ""],
  ["of a length that nobody tells", 3, undefined, undefined, [], ""],
  ["shorter than it says", 3, 10, undefined, [], "it says 10 s, and its pictures end after 3 s: "],
  ["of a picture", 0.04, 10, undefined, [], "it says 10 s, and its pictures end after 0.04 s: "],
  [
    "cut off",
    3,
    10,
    undefined,
    ["[in#0 @ 0x5] File ended prematurely"],
    "after 3 s (File ended prematurely): ",
  ],
  ["damaged", 10, 10, undefined, [DAMAGE], "parts of it are damaged (Error submitting packet to decoder: "],
  ["complained about", 10, 10, undefined, ["[h264 @ 0x5] co located POCs unavailable"], ""],
  ["endless", 70, 10, 71, [], "it goes on for longer than it says: what comes after 70 s is left out"],
])(
  "of a film that is %s it says so",
  (_, durationSeconds, expectedSeconds, longestSeconds, complaints, note) => {
    const job = { frameRate: FRAME_RATE, longestSeconds };
    const notes = lengthNotes({ durationSeconds, expectedSeconds, job, complaints });
    expect(notes.join()).toContain(note);
    expect(notes).toHaveLength(note === "" ? 0 : 1);
  },
);
