import { chromeTexts } from "./chrome-texts.ts";
import { addTexts } from "./texts.ts";

export { addFonts } from "./fonts.ts";
export { dockContent, nameplate, topBar, wordsOf } from "./panel-parts.ts";
export { default as chromeCss } from "./styles/chrome.css?inline";

addTexts(chromeTexts);
