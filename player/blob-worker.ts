/** `const jsContent = "..."` is how Vite begins the module of a worker that is inlined. */
const CODE = /^\s*(const jsContent = "(?:[^"\\]|\\.)*";)/;

/**
 * Of the module that Vite makes of `?worker&inline` the worker's code, with a constructor half as long: it has no second way by
 * a `data:` URL, for browsers that make no blobs. The blob is made with the first worker, so that a server may import it, and once:
 * where a page's policy refuses its workers, each would leave one behind.
 */
export function blobWorker(module: string): string {
  const [, code] = CODE.exec(module) ?? [];
  if (code === undefined) {
    throw new Error("Vite begins an inlined worker otherwise than player/blob-worker.ts expects: adapt it");
  }
  return `${code}
    let url;
    export default function InlineWorker(options) {
      url ??= URL.createObjectURL(new Blob([jsContent], { type: "text/javascript" }));
      return new Worker(url, { type: "module", ...options });
    }`;
}
