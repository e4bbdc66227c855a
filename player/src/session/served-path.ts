/**
 * Says it of the first segment that lies outside, or is not there: a base URL that is wrong shows in nothing else, with a session
 * that is open.
 *
 * @param folder names the base URL
 */
export function warnOfOutside(folder: () => string): (url: string) => void {
  let isTold = false;
  return (url) => {
    if (!isTold) {
      isTold = true;
      console.warn(
        `${url} is fetched over HTTP, since the media server lacks it: it has what is below ${folder()}`,
      );
    }
  };
}

/**
 * What the media server is asked for: the path below the directory that it serves, decoded. null for what lies outside, and
 * for a path that cannot be decoded, which browsers and web servers take as it is.
 */
export function servedPath(url: string, baseUrl: string): string | null {
  if (!url.startsWith(baseUrl)) {
    return null;
  }
  try {
    return decodeURIComponent(new URL(url).pathname.slice(new URL(baseUrl).pathname.length));
  } catch (error) {
    if (error instanceof URIError) {
      return null;
    }
    throw error;
  }
}
