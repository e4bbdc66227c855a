import type { ServerConfig } from "../../options/server-config.ts";
import { queryNow } from "../dom/address-bar.ts";
import { elementById, setText } from "../dom/elements.ts";
import type { Playback } from "../film/playback.ts";

/**
 * Tells in the footer that this visit is reported, to whom, by which numbers, and how to have it otherwise; nothing where
 * nobody takes reports.
 */
export function tellReports(
  { takesTelemetry, cmcdCollector }: Pick<ServerConfig, "takesTelemetry" | "cmcdCollector">,
  films: readonly Pick<Playback, "sid" | "cmcdCollector">[],
): void {
  const sids = films.map(({ sid }) => sid).filter((sid) => sid !== null);
  const collector = films.map((film) => film.cmcdCollector).find((each) => each !== null);
  const visits = `(${sids.length === 1 ? "visit" : "visits"} ${sids.join(" and ")})`;
  const takers = [
    ...(sids.length === 0 ? [] : [`to its server ${visits}`]),
    ...(collector === undefined ? [] : [`by CMCD to ${new URL(collector, location.href).host}`]),
  ];
  const isReported = takers.length > 0;
  elementById("reports", HTMLElement).hidden = !takesTelemetry && cmcdCollector === null;
  setText(
    "reports-text",
    isReported
      ? `This page reports how ${films.length === 1 ? "the film plays" : "the films play"} ${takers.join(", and ")}.`
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
  elementById("reports-what", HTMLElement).hidden = sids.length === 0; // of the server alone
}
