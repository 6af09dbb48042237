import { live as english } from "../texts/en/live.ts";
import { live as korean } from "../texts/ko/live.ts";
import { language } from "../texts/texts.ts";

/** The page's texts. They come with it: a loader for them would cost the console's first view its bytes. */
export const live = language === "ko" ? korean : english;
