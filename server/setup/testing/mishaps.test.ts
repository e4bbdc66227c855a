import { expect, test } from "vitest";
import { mishapsInPytest, mishapsInVitest } from "./mishaps.ts";

test("pytest's failures and errors are named, with the first line of why", () => {
  const xml = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest">
    <testcase classname="cc.tests.test_a" name="test_good" time="0.1" />
    <testcase classname="cc.tests.test_a" name="test_bad[a/b]"><failure message="AssertionError: why &lt;b&gt;&#10;assert 1 == 2">at line 3</failure></testcase>
    <testcase classname="cc.tests.test_b" name="test_unset"><error message="failed on setup">gone</error></testcase>
    </testsuite></testsuites>`;
  expect(mishapsInPytest(xml)).toEqual({
    failed: [
      "cc.tests.test_a > test_bad[a/b]: AssertionError: why <b>",
      "cc.tests.test_b > test_unset: failed on setup",
    ],
    passedAgain: [],
  });
});

test("pytest's tests that passed when they ran again are named apart, and those that failed twice once", () => {
  const first = (message: string) =>
    `<properties><property name="failure" value="${message}&#10;assert 1 == 2" /></properties>`;
  const xml = `<testsuites><testsuite>
    <testcase classname="a" name="test_late">${first("late &lt;b&gt;")}</testcase>
    <testcase classname="a" name="test_late">${first("late &lt;b&gt;")}</testcase>
    <testcase classname="a" name="test_bad">${first("bad")}</testcase>
    <testcase classname="a" name="test_bad">${first("bad")}<failure message="worse">at line 3</failure></testcase>
    </testsuite></testsuites>`;
  expect(mishapsInPytest(xml)).toEqual({
    failed: ["a > test_bad: worse"],
    passedAgain: ["a > test_late: late <b>"],
  });
});

test("vitest's failures are named, and apart from them what passed when it ran again", () => {
  const result = (fullName: string, status: string, failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  });
  const json = JSON.stringify({
    testResults: [
      {
        name: "/clone/e2e/a.test.ts",
        message: "",
        status: "failed",
        assertionResults: [
          result("good", "passed", []),
          result("again", "passed", ["Error: too late\n    at here"]),
          result("bad", "failed", ["Error: first\n    at here", "Error: second"]),
          result("left out", "pending", []),
        ],
      },
      {
        name: "/clone/e2e/b.test.ts",
        message: "Cannot find module",
        status: "failed",
        assertionResults: [],
      },
    ],
  });
  expect(mishapsInVitest(json, "/clone")).toEqual({
    failed: ["e2e/a.test.ts > bad: Error: first", "e2e/b.test.ts: Cannot find module"],
    passedAgain: ["e2e/a.test.ts > again: Error: too late"],
  });
});
