import { pageTexts } from "../texts/page-texts.ts";
import { ratingTexts } from "../texts/rating-texts.ts";
import { addTexts } from "../texts/texts.ts";
import sheet from "../styles/pages.css?inline";

export { endedPage } from "./pages/ended-page.ts";
export { errorPage } from "./pages/error-page.ts";
export { keptText } from "./pages/kept-text.ts";
export { morePage } from "./pages/more-page.ts";
export { inlineNote, startPage, type StartChoices } from "./pages/start-page.ts";

export const css: string = sheet;

addTexts(pageTexts);
addTexts(ratingTexts);
