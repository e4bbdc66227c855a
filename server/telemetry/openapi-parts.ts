/** Pieces of which operations of the description are made. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: object) => ({ "application/json": { schema } });
export const answer = (description: string, schema: object) => ({ description, content: json(schema) });
export const refused = (description: string) => answer(description, ref("Refusal"));
export const get = (operationId: string, summary: string, rest: object) => ({
  get: { operationId, summary, ...rest },
});

/** An object with each field of a type, or with these; all of them required unless `more` says otherwise. */
export const objectOf = <T = Readonly<Record<string, unknown>>>(
  properties: { readonly [Field in keyof Required<T>]: object },
  more: {
    readonly type?: readonly string[];
    readonly description?: string;
    readonly required?: readonly (keyof T)[];
  } = {},
) => ({ type: "object", required: Object.keys(properties), properties, ...more });

/** Of what a server beyond loopback keeps from strangers; one on loopback asks for no token. */
export const BY_TOKEN = { security: [{ bearer: [] }, { cookie: [] }, {}] };
export const WITHOUT_TOKEN = { 401: refused("asked for without the token") };
export const OTHER_PAGE = { 403: refused("sent by a page of another origin, or without an Origin") };

/** Of what is no part of the API proper: a refusal is a line there. */
export const refusedInText = (description: string) => ({
  description,
  content: { "text/plain": { schema: { type: "string" } } },
});
