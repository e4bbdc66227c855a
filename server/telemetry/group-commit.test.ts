import { expect, test } from "vitest";
import { GroupCommit } from "./group-commit.ts";

/** Commits that wait until they are let go. */
function heldCommits(limits: { maxGroup: number; maxWaiting: number; maxWaitingOfSender: number }) {
  const groups: string[][] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const commits = new GroupCommit<string, string>({
    ...limits,
    commit: async (items) => {
      groups.push([...items]);
      await held;
      return items;
    },
  });
  return { commits, groups, release };
}

const LIMITS = { maxGroup: 10, maxWaiting: 10, maxWaitingOfSender: 3 };

test("one sender leaves room for the others, and has its share again once its items are written", async () => {
  const { commits, groups, release } = heldCommits(LIMITS);
  const first = commits.add("first", "greedy"); // is being written, and waits no more
  const greedy = ["a", "b", "c"].map((item) => commits.add(item, "greedy"));
  await expect(commits.add("d", "greedy")).rejects.toMatchObject({ kind: "busy", status: 503 });
  const other = commits.add("e", "other");
  release();
  await Promise.all([first, ...greedy, other]);
  expect(groups).toEqual([["first"], ["a", "b", "c", "e"]]);
  expect(await Promise.all(["f", "g", "h"].map((item) => commits.add(item, "greedy")))).toEqual([
    "f",
    "g",
    "h",
  ]);
});

test("who is nobody in particular is bounded with all together", async () => {
  const { commits, release } = heldCommits(LIMITS);
  const all = Array.from({ length: 11 }, (_, item) => commits.add(String(item)));
  await expect(commits.add("more")).rejects.toMatchObject({ kind: "busy" });
  release();
  expect(await Promise.all(all)).toHaveLength(11);
});

test("a group is no larger than it may be, and the rest makes up the next", async () => {
  const { commits, groups, release } = heldCommits({ ...LIMITS, maxGroup: 2 });
  const all = ["a", "b", "c", "d"].map((item) => commits.add(item));
  release();
  await Promise.all(all);
  expect(groups).toEqual([["a"], ["b", "c"], ["d"]]);
});
