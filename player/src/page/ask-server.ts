import { SERVER_AWAY } from "./fetch-config.ts";

/** Asks this page's server. Throws an Error with one sentence for the viewer where it does not answer, or refuses. */
export async function askServer(path: string, request: RequestInit): Promise<Response> {
  const response = await fetch(path, request).catch((error: unknown) => {
    throw new Error(SERVER_AWAY, { cause: error });
  });
  if (!response.ok) {
    throw new Error(await refusal(response));
  }
  return response;
}

async function refusal(response: Response): Promise<string> {
  const status = `The server answered ${response.status}`;
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") === true;
  if (!isJson) {
    return `${status}.`;
  }
  const { error } = (await response.json()) as { error?: { reason?: string } };
  return `${status}: ${error?.reason ?? "it does not say why"}.`;
}
