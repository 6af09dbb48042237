import { addFonts } from "../styles/fonts.ts";
import { chromeTexts } from "../texts/chrome-texts.ts";
import { addTexts } from "../texts/texts.ts";

export { panelParts } from "./panel-parts.ts";
export { default as css } from "../styles/chrome.css?inline";

addTexts(chromeTexts);
addFonts();
