import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { Refusal } from "../../errors.ts";
import { LINK_REQUEST_SCHEMA, parseLinkRequest } from "../../link/link-request.ts";
import { sampleLink, startSampleApp } from "../../sample-app.ts";
import { BATCH_SCHEMA } from "../batch-schema.ts";
import { OPENAPI_DOCUMENT } from "../openapi.ts";
import { sampleBatch, sampleEvent, startSampleTelemetry } from "../sample-telemetry.ts";

function validatorOf(name: string) {
  const schemas = OPENAPI_DOCUMENT.components.schemas as Readonly<Record<string, object>>;
  return new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    schemas[name] ?? false,
  );
}

test("the document is served, and says OpenAPI 3.1", async () => {
  const { get } = await startSampleTelemetry();
  const document = await (await get("/api/openapi.json")).json();
  expect(document).toEqual(JSON.parse(JSON.stringify(OPENAPI_DOCUMENT)));
  expect(document).toMatchObject({ openapi: "3.1.0" });
});

test("every reference leads to a schema, and every schema is one", () => {
  const references = [
    ...JSON.stringify(OPENAPI_DOCUMENT).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
  ];
  const names = Object.keys(OPENAPI_DOCUMENT.components.schemas);
  expect(names).toEqual(expect.arrayContaining(references.map(([, name]) => name)));
  for (const name of names) expect(() => validatorOf(name), name).not.toThrow();
});

test("every operation has its own name, answers, and the parameters of its path", () => {
  const operations = Object.entries(OPENAPI_DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.values(methods as Record<string, Operation>).map((operation) => ({ path, ...operation })),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, responses, parameters = [] } of operations) {
    expect(Object.values(responses).every(({ description }) => description !== "")).toBe(true);
    const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

test("every path that is described is there", async () => {
  const { get } = await startSampleTelemetry();
  const paths = Object.entries(OPENAPI_DOCUMENT.paths)
    .filter(([path, operations]) => path !== "/api/link" && "get" in operations)
    .map(([path]) => path);
  for (const path of paths) {
    const response = await get(path.replace("{sid}", "0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11"));
    expect([path, response.status]).toEqual([path, 200]);
    await response.arrayBuffer();
  }
});

test("requests are checked by the schemas that the document shows", () => {
  const { Batch, LinkRequest } = OPENAPI_DOCUMENT.components.schemas;
  expect([Batch, LinkRequest]).toEqual([BATCH_SCHEMA, LINK_REQUEST_SCHEMA]);
  for (const wish of [{ name: "none", queuePackets: null }, { name: "none", colour: 1 }, { name: "a/b" }]) {
    expect(validatorOf("LinkRequest")(wish)).toBe(false);
    expect(() => parseLinkRequest(wish, { delayMs: 0, queuePackets: 1, lossRatio: 0 })).toThrow(Refusal);
  }
});

test("answers are as described", async () => {
  const { get, send } = await startSampleTelemetry();
  const accepted = await send(sampleBatch([sampleEvent(0)]));
  expect(validatorOf("Accepted")(accepted.body)).toBe(true);
  expect(validatorOf("Refusal")((await send({})).body)).toBe(true);
  expect(validatorOf("Sessions")(await (await get("/api/telemetry/sessions")).json())).toBe(true);
  const [event] = (await (await get("/api/telemetry/events.json")).json()) as object[];
  expect(validatorOf("StoredEvent")(event)).toBe(true);
  const { url } = await startSampleApp({ link: sampleLink({ kind: "relay" }) });
  expect(validatorOf("Config")(await (await fetch(`${url}/api/config`)).json())).toBe(true);
  expect(validatorOf("LinkAnswer")(await (await fetch(`${url}/api/link`)).json())).toBe(true);
  const refused = await fetch(`${url}/api/link`, { method: "PUT" });
  expect(validatorOf("Refusal")(await refused.json())).toBe(true);
});

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}
