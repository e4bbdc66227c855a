export { linearQoe, type PlayedFilm, type Qoe } from "../../player/src/qoe/linear-qoe.ts";
