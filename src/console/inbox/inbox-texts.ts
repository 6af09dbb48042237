import { inbox as english } from "../texts/en/inbox.ts";
import { inbox as korean } from "../texts/ko/inbox.ts";
import { language } from "../texts/texts.ts";

/** The page's texts. They come with it: a loader for them would cost the console's first view its bytes. */
export const inbox = language === "ko" ? korean : english;
