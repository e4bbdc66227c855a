import { expect, test } from "vitest";
import { type Files, ReadTurns } from "./read-turns.ts";

const BUFFER = Buffer.alloc(1);

/** Turns over files that answer when they are told to. */
function turnsOverFiles() {
  const begun: number[] = [];
  const closed: number[] = [];
  const answers: (() => void)[] = [];
  const files: Files = {
    read: (descriptor, buffer, _offset, length, _position, done) => {
      begun.push(descriptor);
      answers.push(() => done(null, length, buffer));
    },
    close: (descriptor) => closed.push(descriptor),
  };
  const turns = new ReadTurns(files);
  const done: number[] = [];
  const read = (descriptor: number) =>
    turns.read(descriptor, BUFFER, 0, 1, null, () => done.push(descriptor));
  return { turns, begun, closed, answers, done, read };
}

test("the first part of each file is read at once, also while others wait", () => {
  const { begun, read } = turnsOverFiles();
  for (const descriptor of [1, 2, 3, 4, 5, 6]) read(descriptor);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  for (const descriptor of [1, 2, 3, 4, 5, 6, 7]) read(descriptor);
  expect(begun.slice(6)).toEqual([1, 2, 3, 7]);
});

test("further parts are read three at a time, in the order in which they were asked for", () => {
  const { begun, answers, done, read } = turnsOverFiles();
  const descriptors = [1, 2, 3, 4, 5];
  for (const descriptor of [...descriptors, ...descriptors]) read(descriptor);
  expect(begun.slice(5)).toEqual([1, 2, 3]);
  answers[5]?.();
  expect([begun.slice(5), done]).toEqual([[1, 2, 3, 4], [1]]);
  for (let answer = 6; answer < 10; answer += 1) answers[answer]?.();
  expect([begun.slice(5), done]).toEqual([descriptors, descriptors]);
  read(1);
  expect(begun.slice(10)).toEqual([1]);
});

test("a file that was closed is a new one when its number comes again", () => {
  const { turns, begun, closed, read } = turnsOverFiles();
  for (const descriptor of [1, 2, 3, 1, 2, 3]) read(descriptor);
  turns.close(4, () => undefined);
  read(4);
  turns.close(4, () => undefined);
  read(4);
  expect([begun.slice(6), closed]).toEqual([
    [4, 4],
    [4, 4],
  ]);
});
