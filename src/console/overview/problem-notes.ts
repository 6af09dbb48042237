import { html, nothing, type TemplateResult } from "lit";
import type { Problem } from "../../protocol/console/overview.ts";
import { moment } from "../format.ts";
import { icon } from "../parts/icons.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";

/** Sections of the settings where some problems are solved. */
const sections: Readonly<Partial<Record<Problem["code"], string>>> = {
  media_down: "health",
  disk_nearly_full: "health",
  month_nearly_used: "quotas",
  limit_reached: "quotas",
};

function pathOf({ code, page }: Problem): string {
  const section = page === "settings" ? sections[code] : undefined;
  return section === undefined ? `/${page}` : `/${page}/${section}`;
}

/** What does not work, with what to do about it. */
export function problemNotes(
  problems: readonly Problem[],
  { hasPage }: Pick<Services, "hasPage">,
): TemplateResult[] {
  const { overview } = texts;
  return problems.map((problem) => {
    const isBad = problem.severity === "error";
    const [what, remedy] = overview.problem(problem);
    const path = pathOf(problem);
    return html`<div class="note ${isBad ? "bad" : "onsheet"} problem" role=${isBad ? "alert" : "status"}>
      ${icon("alert")}
      <p>
        <b>${what}</b>
        ${problem.since === null ? nothing : overview.since(moment(problem.since))} ${remedy}
      </p>
      ${hasPage(path) ? html`<a class="btn sm" href=${`#${path}`}>${overview.solve[problem.page]}</a>` : nothing}
    </div>`;
  });
}
