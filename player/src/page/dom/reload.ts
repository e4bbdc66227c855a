import type { NoticeAction } from "./notice.ts";

/** What may help where a film has failed for good. */
export const RELOAD: NoticeAction = { label: "Reload", act: () => location.reload() };
