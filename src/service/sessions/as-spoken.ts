import { SpokenAnswer } from "../../markdown/index.ts";
import { mayHoldMarkup } from "../../markdown/markup.ts";

/** A text as the client will say it: without the marks of Markdown. `isComplete`: nothing follows it. */
export function asSpoken(text: string, isComplete = false): string {
  return mayHoldMarkup(text) ? (new SpokenAnswer("en").read(text, isComplete)?.text ?? "") : text;
}
