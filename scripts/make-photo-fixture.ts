/**
 * Makes the photo character of the tests, test/photo/mina.json, from a drawn character. It needs Chromium and the built console:
 * `npm run build && npx tsx scripts/make-photo-fixture.ts`.
 */
import { writeFileSync } from "node:fs";
import { portrait } from "../e2e/support/portrait.ts";
import { findBrowser, makePhotoCharacter } from "../src/command-line/photo/make-photo-character.ts";

const browser = findBrowser(undefined, process.env);
if (browser === null) throw new Error("There is no Chromium here.");
const { character } = await makePhotoCharacter({
  photograph: portrait("mina", { side: 900 }).toBuffer("image/png"),
  wishes: { keepsBackground: false },
  consoleFolder: "dist/console",
  browser,
});
writeFileSync("test/photo/mina.json", JSON.stringify(character));
