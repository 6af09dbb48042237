import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { iconButton } from "../panel/controls.ts";
import { lateIcon } from "../styles/late-icons.ts";
import type { Translate } from "../texts/texts.ts";

/** What the composer is drawn from. */
export interface ComposerProps {
  readonly t: Translate;
  /** The text in the field. */
  readonly draft: string;
  readonly changeDraft: (draft: string) => void;
  readonly send: (text: string) => void;
  /** Hides the transcript; null where it cannot be hidden. */
  readonly close: (() => void) | null;
}

/** Safari reports the Enter that ends a composition up to so many ms after the composition's end. */
const compositionMs = 20;
const composedAt = new WeakMap<EventTarget, number>();

/** The field to write in, and the button that hides the transcript. */
export function composer({ t, draft, changeDraft, send, close }: ComposerProps): TemplateResult {
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).querySelector("textarea");
    const text = field?.value.trim();
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
  return html`<form class="vv-compose" part="composer" @submit=${handleSubmit}>
    ${close ? iconButton("chat", t("type_close"), close, "vv-btn", true) : nothing}
    <div class="vv-field">
      <textarea
        rows="1"
        data-main
        dir="auto"
        enterkeyhint="send"
        maxlength="4000"
        aria-label=${t("type")}
        placeholder=${t("type")}
        .value=${live(draft)}
        @input=${handleInput}
        @compositionend=${handleCompositionEnd}
        @keydown=${handleKey}
      ></textarea>
      <button type="submit" class="vv-send" aria-label=${t("send")} ?disabled=${draft.trim() === ""}>
        ${lateIcon("send")}
      </button>
    </div>
  </form>`;
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
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || justComposed) return;
  event.preventDefault();
  field.form?.requestSubmit();
}
