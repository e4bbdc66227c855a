import type { MediaServerSource } from "../../../../player/src/options/media-server-address.ts";
import { askerOf } from "../../../../player/src/options/server-source.ts";
import { changedJson, textOf } from "../inputs.ts";
import type { NodeTarget } from "../target.ts";

const ADDRESSES = [
  {
    url: "https://127.0.0.1:4433",
    certificateHashes: ["q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="],
    certificateNotAfter: "9999-12-11T09:27:15Z",
  },
  { url: "https://[::1]:1", certificateHashes: [], isEmulated: true },
];
const REFUSAL = /^the media server's address is to be \{ |^the certificate of .* expired at /s;

/** The document that says where the media server is. */
export const addresses: NodeTarget = {
  name: "addresses",
  inputs: changedJson(ADDRESSES),
  inputsEach: 100_000,
  open: () => ({
    async feed(data) {
      try {
        const document: unknown = JSON.parse(textOf(data));
        const ask = askerOf(() => Promise.resolve(document as Awaited<ReturnType<Asker>>));
        const address = await ask(new AbortController().signal);
        return (
          address === null ||
          (typeof address.serverUrl === "string" && address.certificateHashes.every(isText))
        );
      } catch (error) {
        if (error instanceof SyntaxError || (error instanceof Error && REFUSAL.test(error.message)))
          return false;
        throw error;
      }
    },
  }),
};

type Asker = Extract<MediaServerSource, (...values: never[]) => unknown>;

function isText(value: unknown): boolean {
  if (typeof value === "string") return true;
  throw new TypeError(`a hash is ${String(value)}`);
}
