import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import type { AvatarSession, TranscriptEntry } from "../../client/index.ts";
import {
  emailMaxLength,
  emailPattern,
  isRequired,
  messageDays,
  messageMaxLength,
  nameMaxLength,
} from "../../protocol/session/message-fields.ts";
import { type Handover, type MessageField, phonePattern } from "../../protocol/settings/late-settings.ts";
import type { MessageDraft } from "../panel/panel-host.ts";
import type { Translate } from "../texts/texts.ts";
import { asksForPerson } from "./handover-view.ts";

/** What a message is drawn from. */
export interface MessageProps {
  readonly t: Translate;
  readonly lang: string;
  readonly ways: Handover;
  readonly transcript: readonly TranscriptEntry[];
  /** The message as it is now; undefined until one is begun. */
  readonly draft: () => MessageDraft | undefined;
  readonly change: (draft: MessageDraft) => void;
  /** The same, and shows where it is written. */
  readonly show: (draft: MessageDraft) => void;
  readonly session: Pick<AvatarSession, "leaveMessage"> | null;
}

/** The message in one panel. */
export interface MessageParts {
  /** The form; null while it is closed. */
  readonly form: TemplateResult | null;
  /** That the message is there, until the visitor goes on; else null. */
  readonly sent: TemplateResult | null;
  /** Opens the form, or shows it where it is open. */
  readonly open: () => void;
}

type FieldName = MessageField | "text" | "agreed";

/** The order in which fields are asked for. */
const order = ["text", "email", "phone", "name"] as const;

const lengths = { text: messageMaxLength, email: emailMaxLength, phone: 40, name: nameMaxLength } as const;
const inputs = { email: "email", phone: "tel", name: "name" } as const;

const isAsked = (field: (typeof order)[number], { message }: Handover): boolean =>
  field === "text" || message.includes(field);

const isNeeded = (field: (typeof order)[number], { message }: Handover): boolean =>
  field === "text" || isRequired(field, message);

/** What is wrong with a message, by its fields. */
function faultsOf({ values, agreed }: MessageDraft, ways: Handover): Map<FieldName, "missing" | "wrong"> {
  const faults = new Map<FieldName, "missing" | "wrong">();
  for (const field of order.filter((name) => isAsked(name, ways))) {
    const value = values[field]?.trim() ?? "";
    if (value === "") {
      if (isNeeded(field, ways)) faults.set(field, "missing");
    } else if (
      (field === "email" && !emailPattern.test(value)) ||
      (field === "phone" && !phonePattern.test(value))
    )
      faults.set(field, "wrong");
  }
  if (ways.consent !== "" && !agreed) faults.set("agreed", "missing");
  return faults;
}

/** The message's text is at first what the visitor has asked, unless that was only for a person. */
function newDraft(transcript: readonly TranscriptEntry[]): MessageDraft {
  const question = transcript.findLast(({ role, text }) => role === "visitor" && !asksForPerson(text));
  return {
    isOpen: true,
    id: [...crypto.getRandomValues(new Uint32Array(4))].join("-"),
    values: { text: question?.text.slice(0, messageMaxLength) ?? "" },
    agreed: false,
    isChecked: false,
    status: "writing",
    after: "",
  };
}

const lastQuestion = (transcript: readonly TranscriptEntry[]): string =>
  transcript.findLast(({ role }) => role === "visitor")?.id ?? "";

async function send({ ways, transcript, draft, change, session }: MessageProps): Promise<void> {
  const sent = draft();
  if (!sent || sent.status === "sending") return;
  change({ ...sent, isChecked: true, status: "sending" });
  const given = order
    .filter((field) => isAsked(field, ways) && sent.values[field]?.trim())
    .map((field): [string, string] => [field, sent.values[field]?.trim() ?? ""]);
  const message = { id: sent.id, text: "", page: location.origin + location.pathname, agreed: sent.agreed };
  let status: MessageDraft["status"] = "sent";
  try {
    if (!session) throw new Error("There is no session.");
    await session.leaveMessage({ ...message, ...Object.fromEntries(given) });
  } catch {
    // Nothing is lost: the form stays as it was, and is sent again under the same id.
    status = "failed";
  }
  const now = draft();
  // The visitor may have emptied the conversation meanwhile.
  if (now?.id === sent.id)
    change({ ...now, status, isOpen: status === "failed", after: lastQuestion(transcript) });
}

const focusIn = (selector: string) => (element?: Element) => {
  // It is not in the document yet.
  queueMicrotask(() => element?.querySelector<HTMLElement>(selector)?.focus());
};
const focusText = focusIn("textarea");
const focusDone = focusIn("[tabindex]");

function fault(field: FieldName, { t }: MessageProps, what: "missing" | "wrong" | undefined) {
  return what
    ? html`<p class="vv-fault" id=${`vv-message-${field}-fault`}>${t(`message_${what}`)}</p>`
    : nothing;
}

function fieldRow(
  field: (typeof order)[number],
  props: MessageProps,
  { values, status }: MessageDraft,
  what: "missing" | "wrong" | undefined,
): TemplateResult {
  const { t, ways, change, draft } = props;
  const key = `vv-message-${field}`;
  const isNecessary = isNeeded(field, ways);
  const label = t(`message_${field}`);
  const write = ({ currentTarget }: Event): void => {
    const now = draft();
    if (now && (currentTarget instanceof HTMLInputElement || currentTarget instanceof HTMLTextAreaElement))
      change({ ...now, values: { ...now.values, [field]: currentTarget.value } });
  };
  const described = what ? `${key}-fault` : nothing;
  const value = values[field] ?? "";
  const control =
    field === "text"
      ? html`<textarea
          id=${key}
          name=${field}
          rows="3"
          dir="auto"
          maxlength=${lengths[field]}
          ?required=${isNecessary}
          ?readonly=${status === "sending"}
          aria-invalid=${what ? "true" : nothing}
          aria-describedby=${described}
          .value=${value}
          @input=${write}
        ></textarea>`
      : html`<input
          id=${key}
          name=${field}
          type=${field === "name" ? "text" : inputs[field]}
          dir=${field === "name" ? "auto" : "ltr"}
          autocomplete=${inputs[field]}
          maxlength=${lengths[field]}
          ?required=${isNecessary}
          ?readonly=${status === "sending"}
          aria-invalid=${what ? "true" : nothing}
          aria-describedby=${described}
          .value=${value}
          @input=${write}
        />`;
  return html`<label for=${key} dir="auto">${isNecessary ? label : t("field_optional", { label })}</label>
    ${control} ${fault(field, props, what)}`;
}

function consentRow(props: MessageProps, draft: MessageDraft, what: "missing" | "wrong" | undefined) {
  if (props.ways.consent === "") return nothing;
  const agree = ({ currentTarget }: Event): void => {
    const now = props.draft();
    if (now && currentTarget instanceof HTMLInputElement)
      props.change({ ...now, agreed: currentTarget.checked });
  };
  return html`<label class="vv-agree" dir="auto">
      <input
        type="checkbox"
        name="agreed"
        required
        .checked=${draft.agreed}
        aria-invalid=${what ? "true" : nothing}
        aria-describedby=${what ? "vv-message-agreed-fault" : nothing}
        @change=${agree}
      /><span>${props.ways.consent}</span>
    </label>
    ${fault("agreed", props, what)}`;
}

/** For how long a message is kept, in the language's own plural. */
function keptFor({ t, lang }: MessageProps): string {
  const unit = new Intl.NumberFormat(lang, { style: "unit", unit: "day", unitDisplay: "long" });
  return t("message_kept", { days: unit.format(messageDays) });
}

function formView(props: MessageProps, draft: MessageDraft): TemplateResult {
  const { t, ways, change } = props;
  const faults = draft.isChecked ? faultsOf(draft, ways) : new Map<FieldName, "missing" | "wrong">();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const now = props.draft() ?? draft;
    const [first] = faultsOf(now, ways).keys();
    if (first === undefined) return void send(props);
    change({ ...now, isChecked: true });
    const form = event.currentTarget;
    if (form instanceof HTMLElement) form.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };
  const isSending = draft.status === "sending";
  return html`<form
    class="vv-form vv-message"
    aria-label=${t("message_leave")}
    novalidate
    @submit=${submit}
    ${ref(focusText)}
  >
    <fieldset>
      <legend dir="auto">${t("message_leave")}</legend>
      ${order
        .filter((field) => isAsked(field, ways))
        .map((field) => fieldRow(field, props, draft, faults.get(field)))}
      ${consentRow(props, draft, faults.get("agreed"))}
      <p class="vv-done" dir="auto">${keptFor(props)}</p>
      <p role="alert" class="vv-fault">${draft.status === "failed" ? t("message_failed") : nothing}</p>
      <div class="vv-row">
        <button type="submit" class="vv-cta s pri" aria-disabled=${isSending ? "true" : nothing}>
          ${t(isSending ? "message_sending" : "message_send")}
        </button>
        <button type="button" class="vv-cta s" @click=${() => change({ ...draft, isOpen: false })}>
          ${t("close")}
        </button>
      </div>
    </fieldset>
  </form>`;
}

function sentView({ t }: MessageProps, { values }: MessageDraft): TemplateResult {
  const address = [values["email"], values["phone"]].map((text) => text?.trim()).find(Boolean);
  return html`<div class="vv-form vv-message" ${ref(focusDone)}>
    <p role="status" tabindex="-1" dir="auto">
      <b>${t("message_sent")}</b>
      ${address ? t("message_answer", { address: `\u2068${address}\u2069` }) : nothing}
    </p>
  </div>`;
}

/** The message that the visitor may leave; null where the owner takes none. */
export function messageParts(props: MessageProps): MessageParts | null {
  if (props.ways.message.length === 0) return null;
  const draft = props.draft();
  const isSent = draft?.status === "sent";
  const open = (): void => {
    const now = props.draft();
    props.show(now && now.status !== "sent" ? { ...now, isOpen: true } : newDraft(props.transcript));
  };
  const isNews = isSent && draft.after === lastQuestion(props.transcript);
  return {
    form: draft?.isOpen ? formView(props, draft) : null,
    sent: isNews ? sentView(props, draft) : null,
    open,
  };
}
