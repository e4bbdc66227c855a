/** The page's query as it is now. */
export const queryNow = (): URLSearchParams => new URLSearchParams(location.search);

/** Has the address bar show a query, so that the page can be loaded anew or shared as it is. */
export function showQuery(query: URLSearchParams): void {
  history.replaceState(null, "", `?${query}`);
}
