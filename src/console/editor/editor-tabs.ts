import { html, nothing, type TemplateResult } from "lit";
import { editorIcon, type EditorIconName } from "./editor-icons.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import { tabs, type Tab } from "./form-fields.ts";

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
