import { html, nothing, type TemplateResult } from "lit";
import type { Handover } from "../../protocol/settings/late-settings.ts";
import type { HandoverVia } from "../session/element-events.ts";
import type { Translate } from "../texts/texts.ts";
import type { TranscriptEntry } from "../../client/index.ts";

/** What the ways to a person are drawn from. */
export interface HandoverProps {
  readonly t: Translate;
  /** The ways that the owner gives; null for none. */
  readonly ways: Handover | null;
  /** The page was told. */
  readonly told: boolean;
  /** Tells the page. False if it takes the visitor there by itself. */
  readonly handOver: (via: HandoverVia) => boolean;
  /** Opens the form of a message; null where none can be left, or one is being written. */
  readonly leaveMessage: (() => void) | null;
}

/** The ways to a person. */
export function handoverView(props: HandoverProps): TemplateResult | typeof nothing {
  const { t, ways, told, handOver, leaveMessage } = props;
  if (!ways || (!leaveMessage && !ways.event && ways.phone === undefined && ways.url === undefined))
    return nothing;
  const { url, phone, event } = ways;
  const follow = (via: HandoverVia) => (click: Event) => {
    if (!handOver(via)) click.preventDefault();
  };
  const link = (href: string, text: string, via: HandoverVia) =>
    html`<a class="vv-chip" href=${href} target="_blank" rel="noopener" @click=${follow(via)}>${text}</a>`;
  return html`<div class="vv-handover" role="group" aria-label=${t("handover_title")}>
    <p class="vv-handover-title" dir="auto">${t("handover_title")}</p>
    <div class="vv-chips">
      ${
        event
          ? html`<button type="button" class="vv-chip" @click=${follow("page")}>
              ${t("handover_here")}
            </button>`
          : nothing
      }
      ${phone ? link(`tel:${phone.replace(/[^+\d]/g, "")}`, t("handover_call", { phone }), "phone") : nothing}
      ${
        leaveMessage
          ? html`<button type="button" class="vv-chip" @click=${() => handOver("message") && leaveMessage()}>
              ${t("message_leave")}
            </button>`
          : nothing
      }
      ${url ? link(url, t(url.startsWith("mailto:") ? "handover_write" : "contact_us"), "url") : nothing}
    </div>
    <p role="status" class="vv-done">${told ? t("handover_done") : nothing}</p>
  </div>`;
}

/** How visitors ask for a person, in the languages of the widget. */
const requests: readonly RegExp[] = [
  /\b(?:speak|talk|chat|write|connect|transfer|put|get|call|reach)\b.{0,30}\b(?:a|an|the|your|some|real|live|to|me)\b.{0,20}\b(?:person|human|humans|people|agent|operator|representative|adviser|advisor|employee|colleague|staff|someone|somebody)\b/i,
  /^(?:a )?(?:real |live )?(?:human|person|agent|operator|representative)(?: please)?[.!?]*$/i,
  /(?:mensch|mitarbeiter|person|berater|kundenservice|kundendienst|kolleg|jemand).{0,40}(?:sprech|red|telefonier|verbind|schreib|chat)/i,
  /(?:sprech|red|telefonier|verbind|schreib)\w*.{0,40}(?:mensch|mitarbeiter|person|berater|kundenservice|jemand)/i,
  /(?:parler|discuter|joindre|contacter|passer|échanger).{0,40}(?:personne|humain|conseill|quelqu.un|agent|employé)/i,
  /(?:hablar|comunicar|contactar|pasar|conectar).{0,40}(?:persona|humano|agente|alguien|asesor|operador)/i,
  /(?:parlare|contattare|passar|metter).{0,40}(?:persona|umano|operator|qualcuno|consulente|addett)/i,
  /(?:falar|conversar|contactar|contatar|passar|transferir).{0,40}(?:pessoa|humano|atendente|alguém|agente|operador)/i,
  /(?:사람|상담원|상담사|직원|담당자).{0,12}(?:연결|통화|이야기|얘기|대화|상담|말)/,
  /(?:人間|担当者|オペレーター|スタッフ|係の人|人)(?:と|に|へ|につ).{0,6}(?:話|つな|繋|代わ|替わ|相談)/,
  /(?:转|轉|找|联系|聯繫|聯絡|接|跟|和|与|與).{0,4}(?:人工|真人|客服|专员|專員|工作人员|工作人員)|^人工[。！]?$/,
  /(?:أتحدث|التحدث|أكلم|التكلم|تحويلي|التواصل|أتواصل).{0,30}(?:شخص|إنسان|موظف|ممثل|خدمة العملاء)/,
  /(?:לדבר|לשוחח|להעביר|תעביר|לעבור).{0,30}(?:אדם|נציג|מישהו|עובד)/,
];

/** A longer text is about something else too. */
const requestMaxCharacters = 300;

/** Whether a visitor asks to talk with a person. */
export function asksForPerson(text: string): boolean {
  return text.length <= requestMaxCharacters && requests.some((request) => request.test(text));
}

/** Why a person is offered. */
export type HandoverReason = "asked" | "not_found";

/** How many answers in a row have to find nothing. */
const missesLimit = 2;

/** Why a person should be offered now; null if there is no reason. */
export function handoverReason(transcript: readonly TranscriptEntry[]): HandoverReason | null {
  const question = transcript.findLast(({ role }) => role === "visitor");
  if (question && asksForPerson(question.text)) return "asked";
  const answers = transcript.filter(({ role, content }) => role === "avatar" && !content);
  const last = answers.slice(-missesLimit);
  // Nothing is offered while the next question waits for its answer.
  const isAnswered = transcript.at(-1)?.role === "avatar";
  return isAnswered && last.length === missesLimit && last.every(({ found }) => found === false)
    ? "not_found"
    : null;
}
