import { parseXml, type XmlNode } from "@svta/cml-xml";

/** What went wrong among a suite's tests, one line a test: where, and why. */
export interface Mishaps {
  readonly failed: readonly string[];
  /** They failed, and passed when they were run again. */
  readonly passedAgain: readonly string[];
}

export const NO_MISHAPS: Mishaps = { failed: [], passedAgain: [] };

/** In pytest's JUnit report, in which a test that was run again stands once for each attempt. */
export function mishapsInPytest(xml: string): Mishaps {
  const failed: string[] = [];
  const passedAgain = new Map<string, string>();
  for (const { nodeName, attributes, childNodes } of elements(parseXml(xml))) {
    if (nodeName !== "testcase") continue;
    const where = `${attributes.classname} > ${attributes.name}`;
    const failure = childNodes.find((child) => child.nodeName === "failure" || child.nodeName === "error");
    const earlier = [...elements(...childNodes)].find((child) => child.attributes.name === "failure");
    if (failure !== undefined) {
      passedAgain.delete(where);
      failed.push(line(where, failure.attributes.message ?? ""));
    } else if (earlier !== undefined) passedAgain.set(where, line(where, earlier.attributes.value ?? ""));
  }
  return { failed, passedAgain: [...passedAgain.values()] };
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

function* elements(...nodes: readonly XmlNode[]): Generator<XmlNode> {
  for (const node of nodes) {
    yield node;
    yield* elements(...node.childNodes);
  }
}
