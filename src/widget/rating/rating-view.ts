import { html, nothing, type TemplateResult } from "lit";
import type { GivenRating } from "../panel/panel-host.ts";
import { lateIcon } from "../styles/late-icons.ts";
import type { Translate } from "../texts/texts.ts";
import type { AnswerActions } from "../transcript/answer-actions.ts";

/** What a rating is drawn from. */
export interface RatingProps {
  readonly t: Translate;
  /** What is rated: an answer by its id, or "conversation" with the time of its end. */
  readonly key: string;
  readonly given: GivenRating | undefined;
  readonly rate: AnswerActions["rate"];
}

const values = ["up", "down"] as const;

/** The buttons that rate an answer. */
export function answerRatingButtons({ t, key, given, rate }: RatingProps): TemplateResult[] {
  return values.map((value) => {
    const label = t(value === "up" ? "rate_up" : "rate_down");
    return html`<button
      type="button"
      class="vv-tool"
      aria-label=${label}
      data-tip=${label}
      aria-pressed=${given?.value === value ? "true" : "false"}
      @click=${() => rate(key, { of: "answer", value, message: key })}
    >
      ${lateIcon(value === "up" ? "thumb-up" : "thumb-down")}
    </button>`;
  });
}

/** What follows a rating: the field for the reason, then thanks; or what went wrong. */
export function ratingReply(props: RatingProps): TemplateResult | typeof nothing {
  const { t, given } = props;
  if (!given) return nothing;
  const said = given.status === "failed" ? "rate_failed" : given.status === "sent" ? "rate_thanks" : null;
  const asks = given.why === undefined && (given.of === "conversation" || given.value === "down");
  return html`<div class="vv-rating">
    ${asks && given.status !== "failed" ? reasonForm(props, given) : nothing}
    <p role="status" class="vv-rating-said">
      ${said && (!asks || said === "rate_failed") ? t(said) : nothing}
    </p>
  </div>`;
}

function reasonForm(
  { t, key, rate }: RatingProps,
  { status: _status, ...rating }: GivenRating,
): TemplateResult {
  const label = t(rating.of === "answer" ? "rate_why" : "rate_more");
  const handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const field = form instanceof HTMLFormElement ? form.querySelector("textarea") : null;
    const why = field?.value.trim() ?? "";
    rate(key, { ...rating, why });
  };
  return html`<form class="vv-reason" @submit=${handleSubmit}>
    <textarea
      name="why"
      rows="1"
      maxlength="1000"
      dir="auto"
      aria-label=${label}
      placeholder=${label}
    ></textarea>
    <button type="submit" class="vv-chip">${t("rate_send")}</button>
  </form>`;
}

/** Whether the conversation helped, on the page after it. */
export function conversationRating(props: RatingProps): TemplateResult {
  const { t, key, given, rate } = props;
  return html`<div class="vv-conversation-rating" role="group" aria-label=${t("rate_conversation")}>
    <p dir="auto">${t("rate_conversation")}</p>
    <div class="vv-chips">
      ${values.map(
        (value) =>
          html`<button
            type="button"
            class="vv-chip"
            aria-pressed=${given?.value === value ? "true" : "false"}
            @click=${() => rate(key, { of: "conversation", value })}
          >
            ${t(value === "up" ? "rate_yes" : "rate_no")}
          </button>`,
      )}
    </div>
    ${ratingReply(props)}
  </div>`;
}
