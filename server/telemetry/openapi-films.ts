import type { FilmEntry } from "../../player/src/options/server-config.ts";
import { answer, BY_TOKEN, get, OTHER_PAGE, objectOf, ref, refused, WITHOUT_TOKEN } from "./openapi-parts.ts";

const TEXT = { type: "string" } as const;

export const FILM_SCHEMA = objectOf<FilmEntry>({
  name: { type: "string", description: "in the page's address: film=NAME" },
  title: TEXT,
  manifestUrl: TEXT,
  durationSeconds: { type: ["number", "null"], description: "null: it goes on" },
  isElsewhere: { type: "boolean", description: "it plays from another server, over HTTP" },
  isPrepared: { type: "boolean", description: "a segment is asked for by HEAD before it is fetched" },
  isAdded: { type: "boolean", description: "a viewer added it: DELETE /api/films/{name} removes it" },
});

/** `GET /api/films`. */
export const FILMS_SCHEMA = objectOf({
  films: { type: "array", description: "in the order of the menu", items: FILM_SCHEMA },
  retryAfterSeconds: {
    type: ["integer", "null"],
    description:
      "another film is being packaged: how soon to ask again before one is sent; null: it may be sent",
  },
});

/** A line of what `POST /api/films` answers. */
export const FILM_PROGRESS_SCHEMA = {
  oneOf: [
    objectOf(
      { step: TEXT, ratio: { type: "number", minimum: 0, maximum: 1 } },
      { description: "how far it is" },
    ),
    objectOf(
      { film: { ...FILM_SCHEMA, type: ["object", "null"] } },
      { description: "the last line: the film is in the menu" },
    ),
    objectOf(
      { error: objectOf({ status: { type: "integer" }, reason: TEXT }) },
      { description: "the last line: it could not be packaged" },
    ),
  ],
};

export const FILMS_PATH = {
  ...get("listFilms", "The films of the menu", { responses: { 200: answer("the films", ref("Films")) } }),
  post: {
    operationId: "addFilm",
    summary: "Packages a film, and tells of it meanwhile; whoever goes away before the last line cancels it",
    ...BY_TOKEN,
    parameters: [
      {
        name: "name",
        in: "query",
        required: true,
        description: "of the film's file",
        schema: { type: "string", minLength: 1 },
      },
    ],
    requestBody: {
      required: true,
      description: "the film's file",
      content: { "application/octet-stream": {} },
    },
    responses: {
      200: {
        description: "a JSON object a line",
        content: { "application/x-ndjson": { schema: ref("FilmProgress") } },
      },
      400: refused("without a name"),
      ...WITHOUT_TOKEN,
      ...OTHER_PAGE,
      404: refused("this server takes no films"),
      409: refused("another film is being packaged: come again after Retry-After seconds"),
      413: refused("larger than a film may be"),
      422: refused("not a film that can be packaged"),
      507: refused("no space is left"),
    },
  },
};

export const FILM_PATH = {
  delete: {
    operationId: "removeFilm",
    summary: "Removes a film that a viewer added, also for those who watch it",
    ...BY_TOKEN,
    parameters: [
      {
        name: "name",
        in: "path",
        required: true,
        description: "as in the page's address",
        schema: { type: "string", minLength: 1 },
      },
    ],
    responses: {
      204: { description: "it is removed" },
      ...WITHOUT_TOKEN,
      ...OTHER_PAGE,
      404: refused("there is no such film, or this server takes none"),
      409: refused("no viewer added it"),
    },
  },
};
