/** Aborts at the first Ctrl-C, SIGTERM or hang-up, so that what runs can be stopped in order. */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => {
      controller.abort(new Error(`stopped by ${name}`));
    });
  }
  return controller.signal;
}
