import { expect, test } from "vitest";
import { presentationOf } from "../cell/presentation.ts";
import { leave, requireBrowser } from "../requirements.ts";
import { visit, whyNotVisited } from "../second-machine/visit.ts";
import { TEST_FILM } from "./scenario.ts";

test("another machine opens the page over HTTPS, and its film comes over WebTransport", async (context) => {
  const program = await requireBrowser(context);
  const reason = await whyNotVisited("https");
  if (reason !== null) leave(context, reason);
  const seen = await visit("https", program, await presentationOf(TEST_FILM, () => undefined));
  expect(seen).toMatchObject({ path: "webtransport", problems: [] });
});
