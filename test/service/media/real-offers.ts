import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "offers");

/**
 * Offers that Chromium, Firefox and the WebRTC library made, by file name. `…-microphone` offers audio in both directions,
 * `…-data` a data channel alone; all but `chromium` hold their candidates.
 */
export const realOffers: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace(/\.sdp$/, ""),
    readFileSync(join(folder, file), "utf8").replace(/\r?\n/g, "\r\n"),
  ]),
);
