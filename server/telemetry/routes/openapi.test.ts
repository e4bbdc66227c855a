import { Ajv2020 } from "ajv/dist/2020.js";
import express, { type Express, type RequestHandler } from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { Refusal } from "../../errors.ts";
import { LINK_REQUEST_SCHEMA, parseLinkRequest } from "../../link/link-request.ts";
import { ServerMetrics } from "../../metrics/server-metrics.ts";
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
    .filter(([path, operations]) => !["/api/link", "/unlock"].includes(path) && "get" in operations)
    .map(([path]) => path);
  for (const path of paths) {
    const response = await get(path.replace("{sid}", "0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11"));
    expect([path, response.status]).toEqual([path, 200]);
    await response.arrayBuffer();
  }
});

test("every route of the API is described, and every operation has one", async () => {
  const mounts: [unknown, RequestHandler[]][] = [];
  vi.spyOn(express.application, "use").mockImplementation(function (this: Express, ...given: unknown[]) {
    const [path, ...handlers] = typeof given[0] === "string" ? given : ["", ...given];
    mounts.push([path, handlers as RequestHandler[]]);
    return this;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { telemetry } = await startSampleTelemetry();
  mounts.length = 0;
  await startSampleApp({ link: sampleLink({ kind: "relay" }), telemetry, metrics: new ServerMetrics() });
  const routes = mounts
    .filter(([path]) => /^\/(api|healthz|metrics|unlock)/.test(String(path)))
    .flatMap(([path, handlers]) => handlers.flatMap((handler) => routesOf(String(path), handler)));
  const described = Object.entries(OPENAPI_DOCUMENT.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  expect(routes.filter((route) => !route.startsWith("options ")).toSorted()).toEqual(described.toSorted());
});

interface Layer {
  readonly route?: { readonly path: string | string[]; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: unknown;
}

/** What a router answers, as `get /api/films`. */
function routesOf(mount: string, handler: unknown): string[] {
  const { stack = [] } = handler as { stack?: readonly Layer[] };
  return stack.flatMap(({ route, handle }) =>
    route === undefined
      ? routesOf(mount, handle)
      : [route.path].flat().flatMap((path) => {
          const whole = `${mount}${path === "/" ? "" : path}`.replaceAll(/:(\w+)/g, "{$1}");
          return Object.keys(route.methods).map((method) => `${method} ${whole}`);
        }),
  );
}

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
  const sessionKey = Buffer.from("k".repeat(32));
  const { url } = await startSampleApp({ link: sampleLink({ kind: "relay" }), sessionKey });
  expect(validatorOf("Films")(await (await fetch(`${url}/api/films`)).json())).toBe(true);
  expect(validatorOf("Health")(await (await fetch(`${url}/healthz`)).json())).toBe(true);
  expect(validatorOf("Health")(await (await get("/healthz")).json())).toBe(true);
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
