import { Ajv2020 } from "ajv/dist/2020.js";
import { SCHEMA_VERSION, type TelemetryBatch } from "../../player/src/telemetry/vocabulary.ts";
import { Refusal } from "../errors.ts";
import { OWN_SCHEMA, schemaProblem } from "../schema-problem.ts";
import { BATCH_SCHEMA } from "./batch-schema.ts";
import { eventTimeProblem } from "./event-time.ts";

/** Versions of a batch that this server understands. */
const KNOWN_SCHEMAS: readonly unknown[] = [SCHEMA_VERSION];

/** A version 4 UUID, as crypto.randomUUID gives it. */
export const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// What an event of a type requires is defined outside of the branch that requires it.
const validate = new Ajv2020({ ...OWN_SCHEMA, strictRequired: false }).compile<TelemetryBatch>(BATCH_SCHEMA);

/**
 * @param nowMs of the epoch
 * @throws Refusal 400 that names the field
 */
export function parseBatch(body: unknown, nowMs = Date.now()): TelemetryBatch {
  const version = typeof body === "object" && body !== null && "schema" in body ? body.schema : undefined;
  if (version !== undefined && !KNOWN_SCHEMAS.includes(version)) {
    const given = typeof version === "number" ? `${version} ` : "";
    const sentence = `schema version ${given}is unknown: this server knows ${KNOWN_SCHEMAS.join(", ")}`;
    throw new Refusal(400, sentence, { field: "/schema" });
  }
  if (!validate(body)) {
    const { field, sentence } = schemaProblem(validate.errors?.[0], "the batch");
    throw new Refusal(400, sentence, { field });
  }
  const numbers = new Set(body.events.map(({ sn }) => sn));
  if (numbers.size < body.events.length) {
    throw new Refusal(400, "a sequence number stands twice in the batch", { field: "/events" });
  }
  for (const [index, { ts }] of body.events.entries()) {
    const problem = eventTimeProblem(ts, nowMs);
    if (problem !== null) throw new Refusal(400, problem, { field: `/events/${index}/ts` });
  }
  return body;
}

/** @throws Refusal 400 */
export function parseSessionId(text: unknown): string {
  if (typeof text === "string" && SESSION_ID.test(text)) return text;
  throw new Refusal(400, "the session is not a random UUID in lower case", { field: "sid" });
}
