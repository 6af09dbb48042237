import { html, nothing, type TemplateResult } from "lit";
import { live as liveValue } from "lit/directives/live.js";
import { personTextMaxLength, type LiveTalk } from "../../protocol/console/live.ts";
import { modal } from "../parts/dialog.ts";
import { icon } from "../parts/icons.ts";
import { live } from "./live-texts.ts";
import { chosenId, handleQuickKey, type QuickAnswers, quickList, quickListId } from "./quick-answers.ts";

/** What the desk is drawn from. */
interface DeskProps {
  readonly talk: LiveTalk;
  /** The operator answers; else words are whispered to the avatar. */
  readonly isMine: boolean;
  readonly draft: string;
  readonly how: "say" | "keep";
  /** Whether the avatar's model can use a fact. */
  readonly takesFacts: boolean;
  /** The colleague who has taken the conversation before. */
  readonly faster: string;
  readonly quick: QuickAnswers;
  readonly change: (draft: string) => void;
  readonly choose: (how: "say" | "keep") => void;
  readonly send: () => void;
  readonly take: () => void;
  readonly leave: () => void;
  readonly giveBack: () => void;
}

/** Enter sends, Shift Enter begins a new line; not the Enter of an input method. Quick answers come first. */
function handleKey(event: KeyboardEvent, props: DeskProps): void {
  const { isMine, send, giveBack, draft, quick, change } = props;
  const isPlain = !event.isComposing && !event.shiftKey && !event.ctrlKey && !event.metaKey;
  if (isMine && isPlain && handleQuickKey(event.key, draft, quick, () => change(""))) {
    event.preventDefault();
    return;
  }
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (isMine && (event.ctrlKey || event.metaKey)) giveBack();
  else send();
}

function field(props: DeskProps, label: string): TemplateResult {
  const { draft, isMine, change, quick } = props;
  const chosen = isMine ? chosenId(draft, quick) : null;
  return html`<form
    class=${isMine ? "wfield solid" : "wfield"}
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      props.send();
    }}
  >
    ${isMine ? nothing : icon("chat")}
    <textarea
      rows="1"
      dir="auto"
      aria-label=${label}
      aria-controls=${chosen ? quickListId : nothing}
      aria-activedescendant=${chosen ?? nothing}
      placeholder=${label}
      maxlength=${personTextMaxLength}
      .value=${liveValue(draft)}
      @input=${(event: InputEvent) => event.target instanceof HTMLTextAreaElement && change(event.target.value)}
      @keydown=${(event: KeyboardEvent) => handleKey(event, props)}
    ></textarea>
    <button class="wsend" aria-label=${isMine ? live.send : live.whisper} ?disabled=${draft.trim() === ""}>
      ${icon("next")}
    </button>
  </form>`;
}

function howTo({ how, choose, takesFacts, talk, draft }: DeskProps): TemplateResult | typeof nothing {
  if (draft.trim() === "") return nothing;
  if (!takesFacts) return html`<p class="none">${live.saysExactly(talk.avatar)}</p>`;
  const choice = (value: "say" | "keep", label: string): TemplateResult =>
    html`<label
      ><input
        type="radio"
        name="how"
        value=${value}
        .checked=${how === value}
        @change=${() => choose(value)}
      />${label}</label
    >`;
  return html`<fieldset class="how">
    <legend class="sr">${live.whisperHow}</legend>
    ${choice("say", live.sayNow)}${choice("keep", live.keepInMind)}
  </fieldset>`;
}

/** What an operator answers with: whispers to the avatar, or words to the visitor after taking over. */
export function deskView(props: DeskProps): TemplateResult {
  const { isMine, talk, faster, take, leave, giveBack, draft, quick, change } = props;
  if (isMine)
    return html`<div class="desk">
      <div class="bar1">
        ${
          quick.all.length === 0 || draft.trim() !== ""
            ? nothing
            : html`<button class="btn slash" @click=${() => change("/")}>${live.quickAnswers}</button>`
        }
        <button class="btn" @click=${leave}>${live.leave}</button>
        <button class="btn" @click=${giveBack}>${icon("back")}${live.handBack}</button>
      </div>
      ${quickList(draft, quick)}${field(props, live.writeTo)}
    </div>`;
  return html`<div class="desk">
    ${faster === "" ? nothing : html`<p class="none" role="status">${live.faster(faster)}</p>`}${howTo(props)}
    <div class="wf">
      ${talk.person ? html`<span class="sp1"></span>` : field(props, live.whisperTo(talk.avatar))}
      <button class="btn pri" @click=${take}>
        ${talk.person ? live.takeFrom(talk.person.name) : live.takeOver}
      </button>
    </div>
  </div>`;
}

/** Asks whether a conversation is taken from a colleague. */
export function takeForm(name: string, onClose: () => void, onTake: () => void): TemplateResult {
  const content = html`<p>${live.takeFromText(name)}</p>
    <div class="acts">
      <button class="btn" @click=${onClose}>${live.cancel}</button>
      <button class="btn pri" @click=${onTake}>${live.takeOver}</button>
    </div>`;
  return modal({ title: live.takeFrom(name), content, onClose });
}

/** Asks what the avatar should know of the conversation that is handed back. */
export function handBackForm(
  avatar: string,
  onClose: () => void,
  onDone: (summary: string) => void,
): TemplateResult {
  const content = html`<form
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target instanceof HTMLFormElement ? event.target : null;
      onDone(form?.querySelector("textarea")?.value ?? "");
    }}
  >
    <div class="f">
      <label for="summary">${live.summary}</label>
      <textarea
        class="in"
        id="summary"
        rows="4"
        maxlength=${personTextMaxLength}
        aria-describedby="summary-help"
        @keydown=${(event: KeyboardEvent) => {
          const isDone = event.key === "Enter" && (event.ctrlKey || event.metaKey);
          if (isDone && event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
        }}
      ></textarea>
      <p class="help" id="summary-help">${live.summaryHelp}</p>
    </div>
    <div class="acts">
      <button type="button" class="btn" @click=${onClose}>${live.cancel}</button>
      <button class="btn pri">${live.handBack}</button>
    </div>
  </form>`;
  return modal({ title: live.handBackTitle(avatar), content, onClose });
}
