import { chromeTexts } from "../texts/chrome-texts.ts";
import { addTexts } from "../texts/texts.ts";

export { addFonts } from "../styles/fonts.ts";
export { dockContent, nameplate, topBar, wordsOf } from "./controls.ts";
export { default as chromeCss } from "../styles/chrome.css?inline";

addTexts(chromeTexts);
