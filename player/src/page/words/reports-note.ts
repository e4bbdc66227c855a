import { queryNow } from "../dom/address-bar.ts";
import { elementById, setText } from "../dom/elements.ts";
import type { ServerConfig } from "../server-config.ts";

/**
 * Tells in the footer that this visit is reported, by which numbers, and how to have it otherwise; nothing where the server
 * takes no reports.
 *
 * @param sids of the films; null where the viewer wants none
 */
export function tellReports(
  { takesTelemetry }: Pick<ServerConfig, "takesTelemetry">,
  sids: readonly (string | null)[],
): void {
  const reported = sids.filter((sid) => sid !== null);
  const isReported = reported.length > 0;
  elementById("reports", HTMLElement).hidden = !takesTelemetry;
  setText(
    "reports-text",
    isReported
      ? `This page reports to its server how ${reported.length === 1 ? "the film plays (visit" : "the films play (visits"} ${reported.join(" and ")}).`
      : "This page reports nothing, as you asked.",
  );
  const off = elementById("reports-off", HTMLAnchorElement);
  const lead = (): void => {
    const query = queryNow();
    query.set("telemetry", "0");
    off.search = query.toString();
  };
  lead();
  off.onclick = lead; // with what was chosen meanwhile
  off.hidden = !isReported;
  elementById("reports-what", HTMLElement).hidden = !isReported;
}
