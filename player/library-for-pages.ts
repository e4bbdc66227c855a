import type { Plugin } from "vite";

/** Ends a build whose files name what Node alone has: pages without a bundler have nothing of that name. */
export function holdToPages(): Plugin {
  return {
    name: "hold-to-pages",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const problem = file.type === "chunk" ? ofNode(file.fileName, file.code) : null;
        if (problem !== null) {
          this.error(problem);
        }
      }
    },
  };
}

/** What a file names that no page has; null if nothing. */
export function ofNode(fileName: string, code: string): string | null {
  const [name] = /\bprocess\.env\b[\w.]*/.exec(code) ?? [];
  return name === undefined
    ? null
    : `${fileName} names ${name}, which no page has: define it in vite.library.config.ts`;
}
