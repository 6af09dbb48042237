import { html, type TemplateResult } from "lit";
import type { WebsitePaths } from "../../protocol/console/websites.ts";
import { texts } from "../texts/texts.ts";

const lines = (value: FormDataEntryValue | null): string[] =>
  (typeof value === "string" ? value : "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => (line.startsWith("/") ? line : `/${line}`));

/** The paths that somebody wrote in a form. */
export function pathsOf(form: HTMLFormElement): WebsitePaths {
  const data = new FormData(form);
  return { include: lines(data.get("include")), exclude: lines(data.get("exclude")) };
}

/** The fields for the paths of a website. `id` is unique on the page. */
export function pathFields(id: string, { include, exclude }: WebsitePaths): TemplateResult {
  const { website } = texts.knowledge;
  const field = (name: "include" | "exclude", value: readonly string[]): TemplateResult =>
    html`<div class="f">
      <label for=${`${id}-${name}`}>${website[name]}</label>
      <textarea
        class="in"
        id=${`${id}-${name}`}
        name=${name}
        rows="2"
        dir="ltr"
        spellcheck="false"
        aria-describedby=${`${id}-paths-help`}
        .value=${value.join("\n")}
      ></textarea>
    </div>`;
  return html`${field("include", include)}${field("exclude", exclude)}
    <p class="help" id=${`${id}-paths-help`}>${website.pathsHelp}</p>`;
}
