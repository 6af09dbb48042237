import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { type EditorView, fieldId, textAt } from "./editor-view.ts";
import { described, fieldView, labelled, typedLine } from "./fields/field-views.ts";
import {
  arrival,
  origins,
  originTester,
  pastePlaces,
  policy,
  refusedPages,
  siteField,
  snippet,
} from "./embed-views.ts";
import { type Field, fieldsOf, sectionsOf, type Tab } from "./fields/form-fields.ts";
import { backgrounds, colour, faces, framing, placement } from "./look-views.ts";
import {
  attachments,
  messageAsks,
  documents,
  firstDocument,
  model,
  prompt,
  recognizer,
  toolServers,
  voices,
} from "./mind-views.ts";
import { suggestions } from "./suggestions.ts";

const consentPath = "embed_config.ui.consent_text";

/** Words by which a consent text says that nothing is kept, in the console's languages and German. */
const saysDeleted =
  /deleted when you leave|not (?:kept|stored)|gelöscht, (?:wenn|sobald)|저장하지 않|삭제됩니다/i;

/** Selects the words in their field, to be written over. */
function select({ index, 0: words }: RegExpExecArray): void {
  const field = document.getElementById(fieldId(consentPath));
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.focus();
  field.setSelectionRange(index, index + words.length);
}

/** A warning where the consent text says that nothing is kept, and something is. */
function consentNote(view: EditorView): TemplateResult | typeof nothing {
  const { behaviour } = texts.editor;
  const days = view.state.value("embed_config.retention_days");
  const found = saysDeleted.exec(textAt(view, consentPath));
  if (typeof days !== "number" || days <= 0 || !found) return nothing;
  return html`<div class="note" role="status">
    ${icon("alert")}
    <div>
      <b>${behaviour.untrue}</b>
      <p>${behaviour.untrueText(days)}</p>
    </div>
    <button class="btn sm" type="button" @click=${() => select(found)}>${behaviour.correct}</button>
  </div>`;
}

const dataLayerPath = "embed_config.analytics.data_layer";
const standardName = "dataLayer";

/** The name of the page's array for events. The setting is `true` for the usual one. */
function dataLayer(view: EditorView): TemplateResult {
  const value = view.state.value(dataLayerPath);
  const shown = value === true ? standardName : typeof value === "string" ? value : "";
  const read = (text: string): string | true | undefined => {
    const name = text.trim();
    return name === "" ? undefined : name === standardName ? true : name;
  };
  return labelled(
    view,
    dataLayerPath,
    typedLine(view, dataLayerPath, { shown, read, describedBy: described(view, dataLayerPath) }),
  );
}

type View = (view: EditorView) => TemplateResult | TemplateResult[] | typeof nothing;

/** Views of single settings, by their paths. Others are drawn by their kind. */
const ofSetting: Readonly<Record<string, View>> = {
  model_style: faces,
  background_image: backgrounds,
  "embed_config.stage.padding_left": framing,
  "embed_config.ui.brand_color": colour,
  "embed_config.ui.placement": placement,
  tts_type: voices,
  "embed_config.stt_type": recognizer,
  "embed_config.ui.suggestions": suggestions,
  "embed_config.prompt": prompt,
  "embed_config.llm_type": model,
  "embed_config.attachments": attachments,
  "embed_config.ui.handover_message": messageAsks,
  "embed_config.documents": documents,
  "embed_config.document": firstDocument,
  "embed_config.mcp_servers": toolServers,
  "embed_config.allowed_origins": origins,
  "embed_config.analytics.data_layer": dataLayer,
};

/** What stands in a section besides its settings. */
const inSection: Readonly<Record<string, View>> = {
  before: consentNote,
  tester: originTester,
  live: (view) => html`${arrival(view)}${refusedPages(view)}${siteField(view)}`,
  snippet,
  where: pastePlaces,
  policy,
};

/** Sections that change nothing: whoever may only look uses them too. */
const changingNothing = new Set(["snippet", "where", "policy"]);

/** Sections whose fields stand side by side. */
const inColumns = new Set(["title", "talking"]);

function settingView(view: EditorView, field: Field): ReturnType<View> {
  const own = ofSetting[field.path];
  return own ? own(view) : fieldView(view, field);
}

/** A part of the editor. */
export function tabView(view: EditorView, tab: Tab): TemplateResult {
  return html`<div class="sheet form">
    ${sectionsOf(tab).map((section) => {
      const [title = section, lead] = texts.editor.sections[section] ?? [];
      const views = fieldsOf(tab, section).map((field) => settingView(view, field));
      return html`<section aria-labelledby=${`section-${section}`} data-section=${section}>
        <h2 id=${`section-${section}`}>${title}</h2>
        ${lead ? html`<p class="lead">${lead}</p>` : nothing}
        <fieldset
          class=${inColumns.has(section) ? "grid g2 tight" : "stack t"}
          aria-labelledby=${`section-${section}`}
          ?disabled=${!view.mayEdit && !changingNothing.has(section)}
        >
          ${views}${inSection[section]?.(view) ?? nothing}
        </fieldset>
      </section>`;
    })}
  </div>`;
}
