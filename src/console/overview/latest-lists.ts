import { html, nothing, type TemplateResult } from "lit";
import type { Conversation } from "../../protocol/console/conversations.ts";
import type { UnansweredGroup, UnansweredList } from "../../protocol/console/unanswered.ts";
import type { FacePictures } from "../avatars/face-requests.ts";
import { duration, exactTime, figure, moment, momentWithin, money } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import type { LimitUse, Problem } from "../../protocol/console/overview.ts";
import type { Services } from "../services.ts";

/** The questions without an answer that were asked most. `mayTeach`: the role may answer them. */
export function missingAnswers(
  { groups, counts }: UnansweredList,
  context: string,
  mayTeach: boolean,
): TemplateResult {
  const { missing } = texts.overview;
  const query = { avatar: context };
  return html`<section class="sheet" aria-labelledby="missing-title">
    <header>
      <h2 id="missing-title">${missing.title}</h2>
      <a class="lk s" href=${linkTo("/unanswered", query)}>${missing.all(counts.open)}</a>
    </header>
    ${
      groups.length === 0
        ? html`<p class="help">${missing.none}</p>`
        : html`<ul class="rows">
            ${groups.map((group) => html`<li>${missingRow(group, query, mayTeach)}</li>`)}
          </ul>`
    }
  </section>`;
}

function missingRow(
  { question, asked, last_asked_at: last }: UnansweredGroup,
  query: { readonly avatar: string },
  mayTeach: boolean,
): TemplateResult {
  const { missing } = texts.overview;
  const href = linkTo("/unanswered", { ...query, question: question.slice(0, 200) });
  return html`<div class="t">
      <b class="say-q">${question}</b>
      <span title=${exactTime(last)}>${missing.asked(asked, momentWithin(last))}</span>
    </div>
    ${mayTeach ? html`<a class="btn sm" href=${href}>${missing.teach}<span class="sr"> ${question}</span></a>` : nothing}`;
}

/** The latest conversations. `faceOf`: the face of the avatar of a context. */
export function latestConversations(
  conversations: readonly Conversation[],
  context: string,
  faceOf: (context: string) => FacePictures | undefined,
): TemplateResult {
  const { latest } = texts.overview;
  return html`<section class="sheet" aria-labelledby="latest-title">
    <header>
      <h2 id="latest-title">${latest.title}</h2>
      <a class="lk s" href=${linkTo("/conversations", { avatar: context, days: "0" })}>${latest.all}</a>
    </header>
    ${
      conversations.length === 0
        ? html`<p class="help">${latest.none}</p>`
        : html`<ul class="rows">
            ${conversations.map((one) => html`<li>${conversationRow(one, faceOf(one.context))}</li>`)}
          </ul>`
    }
  </section>`;
}

function conversationRow(conversation: Conversation, face: FacePictures | undefined): TemplateResult {
  const { latest } = texts.overview;
  const { session_id: id, started_at: started, questions, unanswered } = conversation;
  const outcome = unanswered > 0 ? latest.missing(unanswered) : questions > 0 ? latest.answered : "";
  const length = duration(conversation.duration_sec);
  return html`<span class="port" aria-hidden="true">
      ${face?.porthole ? html`<img src=${face.porthole} alt="" width="160" height="160" />` : icon("person")}
      <svg viewBox="0 0 100 100"><circle cx="50" cy="50" r="47" vector-effect="non-scaling-stroke" /></svg>
    </span>
    <div class="t">
      <a class="b" href=${linkTo(`/conversations/${encodeURIComponent(id)}`, { days: "0" })}>
        ${conversation.first_question ?? latest.questions(questions)}
      </a>
      <span>${[length, outcome].filter(Boolean).join(", ")}</span>
    </div>
    <span class="m" title=${exactTime(started)}>${moment(started)}</span>`;
}

/** Sections of the settings where some problems are solved; others show in Health. */
const sections: Readonly<Partial<Record<Problem["code"], string>>> = {
  month_nearly_used: "quotas",
  limit_reached: "quotas",
  webhook_off: "webhooks",
};

const pathOf = ({ code, page }: Problem): string =>
  page === "settings" ? `/settings/${sections[code] ?? "health"}` : `/${page}`;

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
        ${problem.reason ?? nothing}
        ${problem.since === null ? nothing : overview.since(moment(problem.since))} ${remedy}
      </p>
      ${hasPage(path) ? html`<a class="btn sm" href=${`#${path}`}>${overview.solve[problem.page]}</a>` : nothing}
    </div>`;
  });
}

function limitRow({ kind, used, limit, unit, currency }: LimitUse): TemplateResult {
  const { limits } = texts.overview;
  const words = limits.units[unit];
  const amount = (value: number): string => (currency === null ? figure(value) : money(value, currency));
  const percent = limit === null || limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return html`<div class="lim">
    <div>
      <span>${limits.kinds[kind]}</span>
      <b class="num">${limit === null ? words.open(amount(used)) : words.of(amount(used), amount(limit))}</b>
    </div>
    ${limit === null ? nothing : html`<div class="bar" aria-hidden="true"><i .style=${`--v:${percent}`}></i></div>`}
  </div>`;
}

/** How much of each limit is used. `change`: the address where limits are set; null: the role may not. */
export function limitsSheet(
  limits: readonly LimitUse[],
  timeZone: string,
  change: string | null,
): TemplateResult {
  const { limits: words } = texts.overview;
  const isLimited = limits.some(({ limit }) => limit !== null);
  return html`<section class="sheet" aria-labelledby="limits-title">
    <header>
      <h2 id="limits-title">${words.title}</h2>
      ${change === null ? nothing : html`<a class="lk s" href=${change}>${words.change}</a>`}
    </header>
    ${limits.map(limitRow)}
    <p class="help limits-note">${isLimited ? words.note(placeOf(timeZone)) : words.none}</p>
  </section>`;
}

/** The city of an IANA name: Europe/Vienna is Vienna. */
const placeOf = (timeZone: string): string => (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");
