import { html, nothing, type TemplateResult } from "lit";
import { captionWindow } from "./captions.ts";
import { icon, type IconName } from "../styles/icons.ts";
import type { Translate } from "../texts/texts.ts";
import type { Plate, View, Words } from "./view.ts";

/** What the visitor can do in the panel. */
export interface PanelActions {
  begin(): void;
  minimise(): void;
  interrupt(): void;
  hear(): void;
  end(): void;
  send(text: string): void;
  toggleText(): void;
  toggleCaptions(): void;
  toggleMore(): void;
}

/** Everything a part of the panel is drawn from. */
export interface PanelContext {
  readonly t: Translate;
  readonly view: View;
  readonly actions: PanelActions;
  readonly name: string;
  readonly owner: string;
  readonly captions: boolean;
  readonly wholeSentences: boolean;
  readonly textOpen: boolean;
  readonly touch: boolean;
  readonly suggestions: readonly string[];
  readonly attempt: { readonly attempt: number; readonly of: number } | null;
  readonly consentText: string | null;
  readonly privacyUrl: string | null;
}

/** A round button with an icon; its name is its tooltip too. */
export function iconButton(
  name: IconName,
  label: string,
  press: () => void,
  kind = "",
  pressed: boolean | null = null,
): TemplateResult {
  return html`<button
    type="button"
    class=${kind}
    aria-label=${label}
    data-tip=${label}
    aria-pressed=${pressed ?? nothing}
    @click=${press}
  >
    ${icon(name)}
  </button>`;
}

/** Name chip and tools, over the upper corners of the picture. */
export function topBar(
  { t, view, actions, name, owner }: PanelContext,
  tools: { more: boolean; minimise: boolean },
): TemplateResult {
  const end = view.page === "ended" || view.page === "error";
  const chip = html`<span class="vv-name" part="name"
    ><bdi>${name}</bdi><small>${view.page === "start" && owner ? owner : t("ai_assistant")}</small></span
  >`;
  const more = tools.more && view.page === "conversation";
  const leave = view.page === "conversation" || view.page === "more" ? "minimise" : "close";
  return html`<div class="vv-top" part="top">
    <slot name="header">${end || !name ? nothing : chip}</slot>
    ${
      more || tools.minimise
        ? html`<span class="vv-tools">
            ${more ? iconButton("more", t("more"), actions.toggleMore) : nothing}
            ${tools.minimise ? iconButton(leave, t(leave), actions.minimise) : nothing}
          </span>`
        : nothing
    }
  </div>`;
}

/** The state's sign and word. */
export function statusWord(t: Translate, plate: Plate & { kind: "status" }): TemplateResult {
  const { sign } = plate;
  const bars = html`<i></i><i></i><i></i>`;
  const drawn =
    sign === "dots" || sign === "meter"
      ? html`<span class="vv-${sign}" aria-hidden="true">${bars}</span>`
      : sign && icon(sign);
  return html`${drawn}${t(plate.word)}`;
}

export function interruptButton({ t, actions }: PanelContext): TemplateResult {
  return html`<button type="button" class="stop" @click=${actions.interrupt}>
    ${icon("stop")}${t("interrupt")}
  </button>`;
}

/** The main action in the ring: hear, or begin. */
export function bigButton({ t, actions, view }: PanelContext): TemplateResult {
  return view.plate.kind === "hear"
    ? html`<button type="button" class="big" data-main @click=${actions.hear}>
        ${icon("volume")}${t("hear")}
      </button>`
    : html`<button type="button" class="big" data-main @click=${actions.begin}>
        ${icon("chat")}${t("launcher")}
      </button>`;
}

/** The nameplate in the ring's lower edge. */
export function nameplate(context: PanelContext): TemplateResult {
  const { plate } = context.view;
  const content =
    plate.kind === "status"
      ? html`<span part="nameplate"
          >${statusWord(context.t, plate)}${
            plate.interrupt ? html`<span class="sep"></span>${interruptButton(context)}` : nothing
          }</span
        >`
      : bigButton(context);
  return html`<div class="vv-plate">${content}</div>`;
}

/** Words on the caption lines: what is being said, was asked, or could be asked. */
export function wordsOf(context: PanelContext): TemplateResult | typeof nothing {
  const { t, view, attempt } = context;
  const { words } = view;
  switch (words.kind) {
    case "none":
      return nothing;
    case "text":
      return html`<p class="vv-words who">${t(words.key)}</p>
        ${words.hint && attempt ? hintLine(t(words.hint, { ...attempt })) : nothing}`;
    case "question":
      return html`<p class="vv-words who" dir="auto">${words.text}</p>`;
    case "answer":
      return html`<p class="vv-words" dir="auto">${words.text}</p>
        ${words.hint && view.canType ? hintLine(t(context.touch ? "type_hint_touch" : "type_hint")) : nothing}`;
    case "caption":
      return captionLine(words, context.wholeSentences);
    case "suggestions":
      return suggestionChips(context);
  }
}

function hintLine(text: string): TemplateResult {
  return html`<span class="hint">${text}</span>`;
}

function captionLine({ text, index }: Words & { kind: "caption" }, whole: boolean): TemplateResult {
  const { said, now, next } = captionWindow(text, index);
  if (whole) return html`<p class="vv-words" dir="auto">${[said, now, next].filter(Boolean).join(" ")}</p>`;
  return html`<p class="vv-words" dir="auto">
    <span class="said">${said}</span> <span class="now">${now}</span> <span class="next">${next}</span>
  </p>`;
}

export function suggestionChips({ t, suggestions, actions }: PanelContext): TemplateResult {
  return html`<div class="vv-chips" role="group" aria-label=${t("suggestions")}>
    ${suggestions.map(
      (text) =>
        html`<button type="button" class="vv-chip" dir="auto" @click=${() => actions.send(text)}>
          ${text}
        </button>`,
    )}
  </div>`;
}

/** The three controls, the main one in the middle. */
export function dockButtons({ t, actions, captions, textOpen, view }: PanelContext): {
  captions: TemplateResult;
  type: TemplateResult | typeof nothing;
  end: TemplateResult;
} {
  return {
    captions: iconButton(
      "captions",
      t(captions ? "captions_off" : "captions_on"),
      actions.toggleCaptions,
      "vv-btn",
      captions,
    ),
    type: view.canType
      ? html`<button
          type="button"
          class="vv-btn main"
          data-main
          aria-label=${t(textOpen ? "type_close" : "type")}
          data-tip=${t(textOpen ? "type_close" : "type")}
          aria-expanded=${textOpen}
          @click=${actions.toggleText}
        >
          ${icon("chat")}
        </button>`
      : nothing,
    end: iconButton("end", t("end"), actions.end, "vv-btn end"),
  };
}

/** What stands in the dock under the words. */
export function dockContent(context: PanelContext): TemplateResult {
  const { captions, type, end } = dockButtons(context);
  return html`${captions}${type}${end}`;
}
