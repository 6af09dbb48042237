import { addFonts } from "../styles/fonts.ts";
import { chromeTexts } from "../texts/chrome-texts.ts";
import { addTexts } from "../texts/texts.ts";
import sheet from "../styles/chrome.css?inline";

export { panelParts } from "./panel-parts.ts";

export const css: string = sheet;

addTexts(chromeTexts);
addFonts();
