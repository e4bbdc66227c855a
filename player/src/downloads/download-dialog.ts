/** The choice of a file. Loaded when somebody asks. */

import { openDialog } from "../page/dialog.ts";
import { chartPicture } from "./chart-picture.ts";
import { fileName, type Session, sessionFile } from "./session-file.ts";

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

export interface DownloadOptions {
  /** As it is when the file is asked for. */
  readonly session: () => Session;
  readonly charts: HTMLElement;
  /** Draws the charts that are out of sight, too. */
  readonly drawAll: () => Promise<void>;
  /** One sentence. */
  readonly onFailure: (sentence: string) => void;
}

export function offerDownloads(options: DownloadOptions): void {
  const list = document.createElement("ul");
  list.className = "downloads";
  for (const { kind, title, what } of FILES) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.addEventListener("click", () => {
      save(kind, options).catch((error: unknown) => {
        dialog.close();
        options.onFailure(error instanceof Error ? error.message : String(error));
      });
    });
    const item = document.createElement("li");
    item.append(button, ` ${what}`);
    list.append(item);
  }
  const dialog = openDialog("Download this session", [list]);
}

async function save(kind: (typeof FILES)[number]["kind"], options: DownloadOptions): Promise<void> {
  const session = options.session();
  if (kind === "png") {
    await options.drawAll();
    const { scheme = "", rule = "" } = session.snapshot.choices ?? {};
    const heading = `${session.title}: ${scheme}, ${rule}, ${session.snapshot.link?.title ?? "no emulated link"}`;
    hand(await chartPicture(options.charts, heading), fileName(session, "png"));
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
