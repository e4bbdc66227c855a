/** What a file names that Node alone has, and no page without a bundler; null if nothing. */
export function ofNode(fileName: string, code: string): string | null {
  const [name] = /\bprocess\.env\b[\w.]*/.exec(code) ?? [];
  return name === undefined
    ? null
    : `${fileName} names ${name}, which no page has: define it in vite.library.config.ts`;
}
