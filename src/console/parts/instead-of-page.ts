import { html, type TemplateResult } from "lit";
import { pageHead } from "./page-head.ts";
import { empty } from "./states.ts";

interface InsteadOfPage {
  title: string;
  /** Why the page is not there. */
  text: string;
  /** A way on. */
  action: TemplateResult;
}

/** What is shown in place of a page, with the heading that each page has. */
export function insteadOfPage({ title, text, action }: InsteadOfPage): TemplateResult {
  return html`${pageHead({ title })}${empty({ icon: "alert", title: text, text: "", action })}`;
}
