/** More than a browser takes to start; a download that begins elsewhere in the trace meets another capacity. */
export const OPEN_AT_LINK_SECONDS = 8;
