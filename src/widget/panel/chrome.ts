import { addFonts } from "../styles/fonts.ts";
import { chromeTexts } from "../texts/chrome-texts.ts";
import { addTexts } from "../texts/texts.ts";
import sheet from "../styles/chrome.css?inline";
import tokens from "../styles/chrome-tokens.css?inline";

export { ControlActions } from "./controls/control-actions.ts";
export { noticeText, noticeToRead } from "./live/notice.ts";
export { panelParts } from "./panel-parts.ts";
export { hideControls, showControls } from "../motion/controls-motion.ts";
export { glideThrough, measureLayout } from "../motion/layout-motion.ts";
export { adaptPicture } from "../stage/adapt-picture.ts";

export const css: string = tokens + sheet;

addTexts(chromeTexts);
addFonts();
