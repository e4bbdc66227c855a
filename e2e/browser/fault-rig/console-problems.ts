/** A request that the network or the server let down; the browser writes that down by itself, and no page can prevent it. */
export const FAILED_REQUEST = /^console: Failed to load resource: /;

/** A session that was refused or broke off; as above. */
export const FAILED_SESSION = /^console: Failed to establish a connection to https:\/\/127\.0\.0\.1/;
