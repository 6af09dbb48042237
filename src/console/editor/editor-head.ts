import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import type { EditorView } from "./editor-view.ts";
import { pictureOf } from "./look-views.ts";
import { editorIcon, type EditorIconName } from "./editor-icons.ts";
import { linkTo } from "../router.ts";
import { type Tab, tabs } from "./fields/form-fields.ts";

interface Head {
  view: EditorView;
  onSave: () => void;
  onDiscard: () => void;
  onHistory: () => void;
}

function stateOf({ state, pages }: EditorView): "live" | "paused" | "draft" {
  if (!state.saved.is_active) return "paused";
  return pages?.arrived ? "live" : "draft";
}

const rings = { live: "", paused: "idle", draft: "draft" } as const;

/** Name, state and what can be done with the changes. */
export function editorHead({ view, onSave, onDiscard, onHistory }: Head): TemplateResult {
  const { state, resources, mayEdit } = view;
  const style = resources.model_styles.find(({ name }) => name === state.settings.model_style);
  const face = style ? pictureOf(style, "porthole") : null;
  const phase = stateOf(view);
  const count = state.changes.length;
  const changes = state.isSaving
    ? texts.editor.saving
    : count > 0
      ? html`<i class="dot"></i>${texts.editor.unsaved(count)}`
      : html`${icon("check", 18)}${texts.editor.allSaved}`;
  return html`<header class="ed-head">
    <a class="icb" href="#/avatars" aria-label=${texts.editor.back}>${icon("back")}</a>
    ${face ? html`<span class="port ${rings[phase]}"><img src=${face} alt="" /></span>` : nothing}
    <div>
      <h1 tabindex="-1">${view.name}</h1>
      <span class="sig ${rings[phase]}">${texts.editor.states[phase]}</span>
    </div>
    <div class="save">
      ${mayEdit ? html`<span class="s" role="status">${changes}</span>` : nothing}
      <button
        class="icb"
        type="button"
        aria-label=${texts.editor.history}
        title=${texts.editor.history}
        @click=${onHistory}
      >
        ${icon("clock")}
      </button>
      ${
        mayEdit && count > 0
          ? html`<button class="btn quiet" type="button" @click=${onDiscard}>${texts.editor.discard}</button>`
          : nothing
      }
      ${
        mayEdit
          ? html`<button
              class="btn pri"
              type="button"
              ?disabled=${count === 0 || state.isSaving || state.faults.size > 0}
              @click=${onSave}
            >
              ${texts.editor.save}
            </button>`
          : nothing
      }
    </div>
  </header>`;
}

const icons: Readonly<Record<Tab, EditorIconName>> = {
  look: "person",
  voice: "wave",
  mind: "bulb",
  behaviour: "settings",
  limits: "shield",
  embed: "code",
};

interface Tabs {
  id: string;
  name: string;
  tab: Tab;
  /** The parts with unsaved changes. */
  changed: ReadonlySet<Tab | undefined>;
}

/** The parts of the editor, as links. */
export function editorTabs({ id, name, tab: shown, changed }: Tabs): TemplateResult {
  return html`<nav class="tabs" aria-label=${texts.editor.parts(name)}>
    ${tabs.map(
      (tab) =>
        html`<a href=${linkTo(`/avatars/${id}/${tab}`)} aria-current=${tab === shown ? "page" : nothing}>
          ${editorIcon(icons[tab])}${texts.editor.tabs[tab]}
          ${changed.has(tab) ? html`<span class="pip"></span><span class="sr">${texts.editor.changedMark}</span>` : nothing}
        </a>`,
    )}
  </nav>`;
}
