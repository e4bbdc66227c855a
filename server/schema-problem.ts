import type { ErrorObject, Options } from "ajv";

/** For schemas of our own: that each is one is tested, and to ask that anew takes a quarter of a second of every start. */
export const OWN_SCHEMA = { strict: true, validateSchema: false } as const satisfies Options;

/** What of a request a refusal is about, and why. */
export interface SchemaProblem {
  /** JSON pointer; null: the body as a whole. */
  readonly field: string | null;
  readonly sentence: string;
}

/** What ajv has found, for whoever sent the body, which is called `whole`. */
export function schemaProblem(error: ErrorObject | undefined, whole: string): SchemaProblem {
  if (error === undefined) return { field: null, sentence: `${whole} is malformed` };
  const { instancePath, keyword, params, message } = error;
  const isUnknown = keyword === "additionalProperties";
  // The name is the client's: bounded, since it goes back and into the log.
  const extra = isUnknown ? `/${String(params.additionalProperty).slice(0, 64)}` : "";
  const field = `${instancePath}${extra}`;
  const allowed = keyword === "enum" ? `: ${JSON.stringify(params.allowedValues)}` : "";
  const sentence = isUnknown ? "is not a field of this request" : `${message}${allowed}`;
  return { field: field === "" ? null : field, sentence: `${field === "" ? whole : field} ${sentence}` };
}
