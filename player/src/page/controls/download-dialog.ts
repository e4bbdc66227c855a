/** The choice of a file. Loaded when somebody asks. */

import { chartPicture } from "../../downloads/chart-picture.ts";
import { fileName, type Session, sessionFile } from "../../downloads/session-file.ts";
import { openDialog } from "../dom/dialog.ts";

const FILES = [
  {
    kind: "csv",
    title: "CSV",
    what: "Rows of a quarter of a second: bandwidth, delay, window, buffer, quality.",
  },
  {
    kind: "json",
    title: "JSON",
    what: "All of it: rows, stamps, segments, switches with their reasons, settings.",
  },
  { kind: "qlog", title: "qlog", what: "What the receiver measured and asked for, for qvis." },
  { kind: "png", title: "PNG", what: "The charts as they stand here." },
] as const;

export interface OfferedSession {
  readonly title: string;
  /** As it is when the file is asked for. */
  readonly session: () => Session;
}

export interface DownloadOptions {
  /** One, or several to choose from. */
  readonly sessions: readonly OfferedSession[];
  /** Above the charts. */
  readonly heading: () => string;
  readonly charts: HTMLElement;
  /** Draws the charts that are out of sight, too. */
  readonly drawAll: () => Promise<void>;
  /** One sentence. */
  readonly onFailure: (sentence: string) => void;
}

export function offerDownloads(options: DownloadOptions): void {
  const choice = document.createElement("select");
  choice.append(...options.sessions.map(({ title }, place) => new Option(title, String(place))));
  const label = document.createElement("label");
  label.append("Of ", choice);
  const list = document.createElement("ul");
  list.className = "downloads";
  for (const { kind, title, what } of FILES) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.addEventListener("click", () => {
      const chosen = options.sessions[Number(choice.value)];
      if (chosen === undefined) {
        return;
      }
      save(kind, chosen.session(), options).catch((error: unknown) => {
        dialog.close();
        options.onFailure(error instanceof Error ? error.message : String(error));
      });
    });
    const item = document.createElement("li");
    item.append(button, ` ${what}`);
    list.append(item);
  }
  const dialog = openDialog("Download this session", options.sessions.length > 1 ? [label, list] : [list]);
}

async function save(
  kind: (typeof FILES)[number]["kind"],
  session: Session,
  { charts, drawAll, heading }: DownloadOptions,
): Promise<void> {
  if (kind === "png") {
    await drawAll();
    hand(await chartPicture(charts, heading()), fileName({ snapshot: session.snapshot }, "png"));
    return;
  }
  const { name, type, text } = sessionFile(kind, session);
  hand(new Blob([text], { type }), name);
}

function hand(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser has begun by then
}
