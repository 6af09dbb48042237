import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { AttachmentParts } from "../attachments/attachment-parts.ts";
import { iconButton } from "../panel/controls/controls.ts";
import { lateIcon } from "../styles/late-icons.ts";
import type { Translate } from "../texts/texts.ts";

/** What the composer is drawn from. */
export interface ComposerProps {
  readonly t: Translate;
  /** The text in the field. */
  readonly draft: string;
  readonly changeDraft: (draft: string) => void;
  readonly send: (text: string) => void;
  /** Whether the visitor may write. */
  readonly canType: boolean;
  /** The files for the question; null where none may be attached. */
  readonly attach: AttachmentParts | null;
  /** To whom the visitor writes, as the field's name; null: to the avatar. */
  readonly fieldName: string | null;
  /** Hides the transcript; null where it cannot be hidden. */
  readonly close: (() => void) | null;
  /** Begins to talk; null where visitors cannot. Then the button that hides the transcript is the microphone. */
  readonly talk: (() => void) | null;
}

/** Safari reports the Enter that ends a composition up to so many ms after the composition's end. */
const compositionMs = 20;
const composedAt = new WeakMap<EventTarget, number>();
/** Fields whose Enter has arrived as a key and is to make a line break. */
const broken = new WeakSet<EventTarget>();

/** The field to write in, and the button that hides the transcript. */
export function composer(props: ComposerProps): TemplateResult {
  const { t, draft, changeDraft, send, canType, attach } = props;
  const name = props.fieldName ?? t("type");
  const hide = hideButton(props);
  if (!canType) return html`<div class="vv-compose">${hide}</div>`;
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).querySelector("textarea");
    const text = field?.value.trim() || attach?.question;
    if (!field || !text) return;
    changeDraft("");
    field.value = "";
    fit(field);
    send(text);
  };
  const handleInput = (event: InputEvent) => {
    const field = event.currentTarget as HTMLTextAreaElement;
    fit(field);
    changeDraft(field.value);
  };
  return html`${attach?.chosen}
    <form class="vv-compose" part="composer" @submit=${handleSubmit}>
      ${hide}
      <div class=${attach?.button ? "vv-field attaches" : "vv-field"}>
        ${attach?.button}
        <textarea
          rows="1"
          data-main
          dir=${draft === "" ? nothing : "auto"}
          enterkeyhint="send"
          maxlength="4000"
          aria-label=${name}
          placeholder=${name}
          .value=${live(draft)}
          @input=${handleInput}
          @compositionend=${handleCompositionEnd}
          @keydown=${handleKey}
          @beforeinput=${handleBeforeInput}
          @paste=${attach?.handlePaste}
        ></textarea>
        <button
          type="submit"
          class="vv-send"
          aria-label=${t("send")}
          ?disabled=${draft.trim() === "" && !attach?.question}
        >
          ${lateIcon("send")}
        </button>
      </div>
    </form>`;
}

/** Back to the captions: by talking, where visitors can. */
function hideButton({ t, close, talk }: ComposerProps): TemplateResult | typeof nothing {
  if (!close) return nothing;
  if (!talk) return iconButton("chat", t("type_close"), close, "vv-btn", true);
  return iconButton(
    "mic",
    t("talk"),
    () => {
      close();
      talk();
    },
    "vv-btn",
  );
}

/** Grows a field with its text; its style sheet says how far. */
function fit(field: HTMLTextAreaElement): void {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

function handleCompositionEnd(event: CompositionEvent): void {
  composedAt.set(event.currentTarget as HTMLTextAreaElement, event.timeStamp);
}

/** Enter alone sends, but not the Enter that accepts a word of an input method. */
function handleKey(event: KeyboardEvent): void {
  const field = event.currentTarget as HTMLTextAreaElement;
  const justComposed = event.timeStamp - (composedAt.get(field) ?? -Infinity) < compositionMs;
  if (event.key !== "Enter") return;
  broken.delete(field);
  if (event.shiftKey || event.isComposing || justComposed) {
    broken.add(field);
    return;
  }
  event.preventDefault();
  field.form?.requestSubmit();
}

/** A page may stop keys before they arrive here: then the line break that comes of Enter sends. */
function handleBeforeInput(event: InputEvent): void {
  const field = event.currentTarget as HTMLTextAreaElement;
  if (event.inputType !== "insertLineBreak" || event.isComposing || broken.delete(field)) return;
  event.preventDefault();
  field.form?.requestSubmit();
}
