/** A folder's absolute URL, of the page where it is not said, with a slash at its end, without which what is in it would be looked for beside it. */
export function folderUrl(folder: string | URL, baseUrl = document.baseURI): string {
  const url = new URL(folder, baseUrl);
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) {
    url.pathname += "/";
  }
  return url.href;
}
