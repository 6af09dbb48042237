import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { lateIcon } from "../styles/late-icons.ts";
import { iconButton, type PanelContext } from "../panel/controls.ts";

/** Whether a key press sends: Enter alone, and not the Enter that accepts a word of an input method. */
function sends(event: Pick<KeyboardEvent, "key" | "shiftKey" | "isComposing">): boolean {
  return event.key === "Enter" && !event.shiftKey && !event.isComposing;
}

const composedAt = new WeakMap<EventTarget, number>();

/** Grows a field with its text; its style sheet says how far. */
function fit(field: HTMLTextAreaElement): void {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

/** The field to write in, with the button that puts the transcript away. `change` keeps what is typed. */
export function composer(
  { t, actions }: PanelContext,
  draft: string,
  change: (draft: string) => void,
  leave: boolean,
): TemplateResult {
  const submit = (form: HTMLFormElement) => {
    const field = form.querySelector("textarea");
    const text = field?.value.trim();
    if (!field || !text) return;
    change("");
    field.value = "";
    fit(field);
    actions.send(text);
  };
  return html`<form
    class="vv-compose"
    part="composer"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      submit(event.currentTarget as HTMLFormElement);
    }}
  >
    ${leave ? iconButton("chat", t("type_close"), actions.toggleText, "vv-btn", true) : null}
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
        @input=${(event: InputEvent) => {
          const field = event.currentTarget as HTMLTextAreaElement;
          fit(field);
          change(field.value);
        }}
        @compositionend=${(event: CompositionEvent) => {
          // Safari reports the Enter that ends a composition only after it.
          composedAt.set(event.currentTarget!, event.timeStamp);
        }}
        @keydown=${(event: KeyboardEvent) => {
          const justComposed = event.timeStamp - (composedAt.get(event.currentTarget!) ?? -Infinity) < 20;
          if (!sends(event) || justComposed) return;
          event.preventDefault();
          (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
        }}
      ></textarea>
      <button type="submit" class="vv-send" aria-label=${t("send")} ?disabled=${draft.trim() === ""}>
        ${lateIcon("send")}
      </button>
    </div>
  </form>`;
}
