import InlineWorker from "./worker/main.ts?worker&inline";

/**
 * The worker out of the library's own code, as a blob: a bundler that moves a dependency's files about, as Vite's
 * development server does, would not find a second file.
 */
export function createSessionWorker(): Worker {
  return new InlineWorker({ name: "receiver" });
}
