import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CANARY, getRaw, startSampleApp, temporaryFolder } from "../sample-app.ts";

function samplePolicies(): string {
  const folder = join(temporaryFolder(), "policies");
  mkdirSync(folder);
  writeFileSync(join(folder, "nuwa-rl.json"), "{}");
  writeFileSync(join(folder, "nuwa-rl.onnx"), "model");
  writeFileSync(join(folder, "nuwa-rl.md"), CANARY);
  writeFileSync(join(folder, "..", "secret.json"), CANARY);
  return folder;
}

test("a policy's card and model are served, and asked for again each time", async () => {
  const { url } = await startSampleApp({ policyDirectory: samplePolicies() });
  const model = await fetch(`${url}/policies/nuwa-rl.onnx`);
  expect(await model.text()).toBe("model");
  expect(model.headers.get("cache-control")).toBe("no-cache");
  expect(model.headers.get("etag")).not.toBeNull();
  expect(model.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  const card = await fetch(`${url}/policies/nuwa-rl.json`);
  expect(card.headers.get("content-type")).toMatch(/^application\/json/);
});

test("a policy that there is not is not found", async () => {
  const { url } = await startSampleApp({ policyDirectory: samplePolicies() });
  expect((await fetch(`${url}/policies/owl.json`)).status).toBe(404);
});

test.each(["/policies/../secret.json", "/policies/%2e%2e/secret.json", "/policies/nuwa-rl.md", "/policies/"])(
  "nothing else is to be had by %s",
  async (path) => {
    const { port } = await startSampleApp({ policyDirectory: samplePolicies() });
    const { status, body } = await getRaw(port, path);
    expect(status).toBe(404);
    expect(body).not.toContain(CANARY);
  },
);
