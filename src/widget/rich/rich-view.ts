import { html, nothing, type TemplateResult } from "lit";
import type { TranscriptEntry } from "../../client/index.ts";
import { readRichContent } from "../../protocol/answers/read-rich-content.ts";
import type { RichButton, RichCard, RichContent } from "../../protocol/answers/rich-content.ts";
import sheet from "../styles/rich.css?inline";
import { richTexts } from "../texts/rich-texts.ts";
import { addTexts, type Translate } from "../texts/texts.ts";
import { carousel } from "./carousel.ts";
import { contentForm, formMessage, type FormValues } from "./content-form.ts";
import { handoverView, type HandoverProps } from "./handover-view.ts";
import type { LinkPolicy } from "./link-policy.ts";

export { handoverView } from "./handover-view.ts";
export { handoverReason } from "./handover-view.ts";
export { messageParts } from "./message-form.ts";
export { readHandover } from "../../protocol/settings/late-settings.ts";

export const css: string = sheet;

addTexts(richTexts);

/** What rich content is drawn from. */
export interface RichProps {
  readonly t: Translate;
  readonly links: LinkPolicy;
  /** Which addresses pictures may come from. */
  readonly images: LinkPolicy;
  /** The visitor follows a link. */
  readonly follow: (event: Event, href: string) => void;
  /** Sends a question of the visitor. */
  readonly send: (text: string) => void;
  /** Tells the page what the visitor does; `text` goes into the transcript. */
  readonly act: (detail: { action: string; label: string; values?: FormValues }, text: string) => void;
  /** What was sent by forms, by the ids of their entries. */
  readonly sent: Readonly<Record<string, FormValues>>;
  readonly keepSent: (id: string, values: FormValues) => void;
  readonly handover: HandoverProps;
}

/** A kept conversation may hold what an earlier version has shown: it is checked before it is drawn. */
const checked = new WeakMap<RichContent, RichContent | null>();

function checkedContent(content: RichContent): RichContent | null {
  let known = checked.get(content);
  if (known === undefined) {
    const read = readRichContent(content);
    known = "content" in read ? read.content : null;
    checked.set(content, known);
  }
  return known;
}

/** Cards, buttons, a form and the ways to a person. Suggestions are drawn with the page's own (`suggestionsOf`). */
export function richContent({ id, content }: TranscriptEntry, props: RichProps): unknown {
  const shown = content && checkedContent(content);
  if (!shown) return nothing;
  const { cards = [], buttons, form, handover } = shown;
  const views = cards.map((card) => cardView(card, props));
  const name = cards.map(({ title }) => title).join(", ");
  return html`${views.length > 1 ? carousel(views, name, props.t) : views}
  ${buttons ? html`<div class="vv-rich-buttons">${buttonViews(buttons, false, props)}</div>` : nothing}
  ${form ? formView(id, form, props) : nothing} ${handover === true ? handoverView(props.handover) : nothing}`;
}

/** The questions that the last answer suggests. */
export function suggestionsOf(transcript: readonly TranscriptEntry[]): readonly string[] {
  const last = transcript.at(-1);
  return (last?.content && checkedContent(last.content)?.suggestions) ?? [];
}

function formView(id: string, form: NonNullable<RichContent["form"]>, props: RichProps): TemplateResult {
  const submit = (values: FormValues): void => {
    const text = formMessage(form, values);
    props.keepSent(id, values);
    if (form.action === undefined) props.send(text);
    else props.act({ action: form.action, label: form.submit ?? form.title ?? "", values }, text);
  };
  return contentForm(form, { t: props.t, id: `vv-form-${id}`, sent: props.sent[id], submit });
}

function cardView(
  { title, text, price, picture, href, buttons }: RichCard,
  props: RichProps,
): TemplateResult {
  const source = picture ? props.images(picture.src) : null;
  const target = href === undefined ? null : props.links(href);
  return html`<article class="vv-card" aria-label=${title}>
    ${source === null ? nothing : pictureView(source, picture?.alt ?? "")}
    <div class="tx">
      <p class="vv-card-title">
        <b dir="auto">${target === null ? title : linkView(target, title, "", props)}</b>
        ${price === undefined ? nothing : html`<b dir="auto">${price}</b>`}
      </p>
      ${text === undefined ? nothing : html`<p class="vv-card-text" dir="auto">${text}</p>`}
      ${buttons ? html`<div class="vv-row">${buttonViews(buttons, true, props)}</div>` : nothing}
    </div>
  </article>`;
}

/** A picture that cannot be loaded takes no room. */
function pictureView(source: string, alt: string): TemplateResult {
  const handleError = (event: Event): void => {
    (event.currentTarget as HTMLElement).hidden = true;
  };
  return html`<img
    class="pic"
    src=${source}
    alt=${alt}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
    @error=${handleError}
  />`;
}

function linkView(target: string, text: string, classes: string, { follow }: RichProps): TemplateResult {
  return html`<a
    class=${classes}
    href=${target}
    target="_blank"
    rel="noopener noreferrer"
    @click=${(event: Event) => follow(event, target)}
    >${text}</a
  >`;
}

/** Buttons; the first one of a card is its main action. A link that the owner does not allow is left out. */
function buttonViews(buttons: readonly RichButton[], inCard: boolean, props: RichProps): unknown[] {
  return buttons.map((button, index) => {
    const classes = inCard && index === 0 ? "vv-cta s pri" : "vv-cta s";
    const { label, href } = button;
    if (href !== undefined) {
      const target = props.links(href);
      return target === null ? nothing : linkView(target, label, classes, props);
    }
    return html`<button type="button" class=${classes} dir="auto" @click=${() => press(button, props)}>
      ${label}
    </button>`;
  });
}

function press({ label, send, action }: RichButton, props: RichProps): void {
  if (action === undefined) props.send(send ?? label);
  else props.act({ action, label }, label);
}
