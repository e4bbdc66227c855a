// `node --import` this to run TypeScript. tsx would keep what it has compiled in a folder of the system's temporary one whose name
// anybody can guess, make first, and fill with code of theirs: it goes without. Children are told by the variable.
process.env.TSX_DISABLE_CACHE = "1";
(await import("tsx/esm/api")).register();
