import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import { painted } from "../dom/painted.ts";

/** Beside what else a page waits for: nothing needs it before the player is made. The page's own text is painted first. */
export async function loadDashjs(): Promise<DashjsModule> {
  await painted();
  return (await import("dashjs")) as unknown as DashjsModule;
}
