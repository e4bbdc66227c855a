/** hls.js over a receiver of ours: `new Hls({ fLoader: nuwaLoader(nuwa), abrController: nuwaAbr(Hls, nuwa) })`. */

export { nuwaAbr } from "./hls-abr.ts";
export { nuwaLoader } from "./hls-loader.ts";
