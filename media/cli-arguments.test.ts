import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parseRequest } from "./cli-arguments.ts";
import { MediaError } from "./media-error.ts";

test.each([
  [[], "Name a film to package, or give --demo; see --help."],
  [["one.mp4", "two.mp4", "three.mp4"], "One film at a time, not also two.mp4, three.mp4; see --help."],
  [["--demo", "one.mp4"], "Give either --demo or the film one.mp4, not both; see --help."],
  [["one.mp4", "--duration", "2"], "--duration is the demo film's length and needs --demo; see --help."],
  [["--demo", "--qualty"], "Unknown option '--qualty'; see --help."],
  [["--demo", "--ladder", "640x360"], "--ladder"],
  [["--demo", "--codec", "vp9"], '--codec is "vp9": write one of hevc, av1'],
])("%j is refused in a sentence", (args, sentence) => {
  const parse = () => parseRequest(args);
  expect(parse).toThrow(MediaError);
  expect(parse).toThrow(sentence);
  expect(parse).not.toThrow("\n");
});

test("a folder is one to measure where quality is asked for, and otherwise a film like any path", () => {
  const folder = import.meta.dirname;
  expect(parseRequest([folder, "--quality"])?.source).toEqual({ kind: "folder", path: folder });
  expect(parseRequest([folder])?.source).toEqual({ kind: "file", path: folder });
});

test("help asks for nothing else", () => {
  expect(parseRequest(["--demo", "--help"])).toBeUndefined();
});

test("paths are meant from where npm was called", () => {
  const request = parseRequest(["a film.mp4", "--output", "out"], "/called/here");
  expect(request).toMatchObject({
    source: { path: resolve("/called/here/a film.mp4") },
    outputRoot: resolve("/called/here/out"),
  });
});
