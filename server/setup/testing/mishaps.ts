import { parseXml, type XmlNode } from "@svta/cml-xml";

/** What went wrong among a suite's tests, one line a test: where, and why. */
export interface Mishaps {
  readonly failed: readonly string[];
  /** They failed, and passed when they were run again. */
  readonly passedAgain: readonly string[];
}

export const NO_MISHAPS: Mishaps = { failed: [], passedAgain: [] };

/** In pytest's JUnit report. */
export function mishapsInPytest(xml: string): Mishaps {
  const tests = [...elements(parseXml(xml))].filter(({ nodeName }) => nodeName === "testcase");
  const failed = tests.flatMap(({ attributes, childNodes }) =>
    childNodes
      .filter(({ nodeName }) => nodeName === "failure" || nodeName === "error")
      .map((failure) =>
        line(`${attributes.classname} > ${attributes.name}`, failure.attributes.message ?? ""),
      ),
  );
  return { failed, passedAgain: [] };
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      /** Also of earlier attempts. */
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** In vitest's JSON report; paths relative to `root`. */
export function mishapsInVitest(json: string, root: string): Mishaps {
  const failed: string[] = [];
  const passedAgain: string[] = [];
  const { testResults }: VitestReport = JSON.parse(json);
  for (const { name, message, status, assertionResults } of testResults) {
    const file = name.replace(`${root}/`, "");
    if (status === "failed" && message !== "") failed.push(line(file, message)); // it could not be loaded
    for (const test of assertionResults) {
      const why = test.failureMessages?.[0];
      if (why === undefined) continue;
      (test.status === "passed" ? passedAgain : failed).push(line(`${file} > ${test.fullName}`, why));
    }
  }
  return { failed, passedAgain };
}

function line(where: string, why: string): string {
  return `${where}: ${why.split(/\n|&#10;/)[0]}`;
}

function* elements(node: XmlNode): Generator<XmlNode> {
  yield node;
  for (const child of node.childNodes) yield* elements(child);
}
