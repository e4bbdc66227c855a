import type { Plugin } from "vite";

/** Ends a build where something is wrong with a file of it. @param problemOf one sentence; null where nothing is */
export function endOnProblem(
  name: string,
  problemOf: (fileName: string, code: string) => string | null,
): Plugin {
  return {
    name,
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const problem = file.type === "chunk" ? problemOf(file.fileName, file.code) : null;
        if (problem !== null) {
          this.error(problem);
        }
      }
    },
  };
}
