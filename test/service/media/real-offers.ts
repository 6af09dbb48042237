import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "offers");

/**
 * Offers of Chromium, Firefox and the WebRTC library, by file name. `…-microphone` offers audio in both directions,
 * `…-data` only a data channel. All except `chromium` contain their candidates.
 */
export const realOffers: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace(/\.sdp$/, ""),
    readFileSync(join(folder, file), "utf8").replace(/\r?\n/g, "\r\n"),
  ]),
);
