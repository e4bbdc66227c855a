/** The absolute URL of a folder, with the slash at its end without which what is below it would be looked for beside it. */
export function folderUrl(folder: string, baseUrl: string): string {
  const url = new URL(folder, baseUrl);
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) {
    url.pathname += "/";
  }
  return url.href;
}
