import { settingsTexts } from "../texts/settings-texts.ts";
import { addTexts } from "../texts/texts.ts";
import sheet from "../styles/settings.css?inline";

export { keepSettings, restoreSettings } from "./kept-settings.ts";
export { settingsPage } from "./settings-page.ts";

export const css: string = sheet;

addTexts(settingsTexts);
