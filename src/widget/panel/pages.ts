import { pageTexts } from "../texts/page-texts.ts";
import { addTexts } from "../texts/texts.ts";

export { endedPage } from "./pages/ended-page.ts";
export { errorPage } from "./pages/error-page.ts";
export { morePage } from "./pages/more-page.ts";
export { inlineNote, startPage } from "./pages/start-page.ts";
export { default as css } from "../styles/pages.css?inline";

addTexts(pageTexts);
