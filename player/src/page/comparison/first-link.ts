import type { ServerConfig } from "../../options/server-config.ts";
import type { LinkRequest } from "../query/link-request.ts";

/** Shows a difference soon: a rate that falls and rises, behind a queue as long as a cellular link's. As `npm start` has it. */
const FIRST_LINK: LinkRequest = { name: "steps", delayMs: 20, queuePackets: 300 };

/** What a viewer is told who may not have a link emulated. */
export const NO_LINK_HERE = "No link is emulated here; whoever runs the server can start one with --link.";

/** The link that a comparison asks for where nobody has asked for one; null where this page may not. */
export function firstLink({ mayChangeLink }: Pick<ServerConfig, "mayChangeLink">): LinkRequest | null {
  return mayChangeLink ? FIRST_LINK : null;
}
