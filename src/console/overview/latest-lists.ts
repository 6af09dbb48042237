import { html, nothing, type TemplateResult } from "lit";
import type { Conversation } from "../../protocol/console/conversations.ts";
import type { UnansweredGroup, UnansweredList } from "../../protocol/console/unanswered.ts";
import type { FacePictures } from "../avatars/face-requests.ts";
import { duration, exactTime, moment, momentWithin } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";

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
