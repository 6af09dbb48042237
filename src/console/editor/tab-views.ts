import { html, nothing, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";
import type { EditorView } from "./editor-view.ts";
import { arrival, pastePlaces, policy, refusedPages, snippet } from "./embed-views.ts";
import { consentNote } from "./consent-note.ts";
import { fieldView } from "./field-views.ts";
import { fieldsOf, sectionsOf, type Field, type Tab } from "./form-fields.ts";
import { backgrounds, colour, faces, framing, placement } from "./look-views.ts";
import {
  attachments,
  documents,
  firstDocument,
  model,
  prompt,
  suggestions,
  toolServers,
} from "./mind-views.ts";
import { originTester, origins } from "./origin-views.ts";
import { recognizer, voices } from "./voice-views.ts";
import { dataLayer } from "./data-layer-view.ts";

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
  live: (view) => html`${arrival(view)}${refusedPages(view)}`,
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
