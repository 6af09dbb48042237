import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { ContextPages, ContextVersion } from "../../protocol/console/avatars.ts";
import type { Paddings } from "../../protocol/settings/stage-settings.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";
import { Loaded } from "../api/loaded.ts";
import { ConsolePage, headingEvent } from "../page.ts";
import { errorText } from "../parts/error-text.ts";
import { insteadOfPage } from "../parts/instead-of-page.ts";
import { whenLoaded } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import { stopSample } from "../voices/voice-sample.ts";
import { conflictNote, editorNotices, historyDialog, leaveDialog } from "./editor-dialogs.ts";
import { editorHead, editorTabs } from "./editor-head.ts";
import {
  editorServer,
  loadContext,
  loadPages,
  loadResources,
  loadVersions,
  restoreVersion,
} from "./editor-requests.ts";
import { EditorState, settingsOf } from "./editor-state.ts";
import { type EditorResources, type EditorView, fieldId } from "./editor-view.ts";
import { fieldAt, previewable, type Tab, tabOf, tabs } from "./fields/form-fields.ts";
import { titleOf } from "./look-views.ts";
import "./preview/preview-pane.ts";
import { previewContent, PreviewFeed } from "./preview/preview-content.ts";
import { tabView } from "./tab-views.ts";
import "./editor.css";
import "./editor-look.css";
import "./editor-voices.css";
import "./editor-preview.css";
import "./editor-embed.css";
import "./editor-narrow.css";

/** How often it is asked whether the first page has come, in ms. */
const pagesIntervalMs = 2_000;

/** An avatar whose settings are edited. */
interface Edited {
  readonly id: string;
  readonly state: EditorState;
  readonly feed: PreviewFeed;
  resources: EditorResources;
  pages: ContextPages | null;
}

/** The editor of an avatar: form and live preview. */
export class EditorPage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    versions: { state: true },
    leaving: { state: true },
  };
  /** The versions, while they are shown. */
  declare versions: ContextVersion[] | null;
  /** Answers whoever asked to leave. */
  declare leaving: ((mayLeave: boolean) => void) | null;
  readonly #data = new Loaded<Edited>(this, (signal) => this.#load(signal));
  #timer: ReturnType<typeof setInterval> | undefined;
  #isReading = false;
  /** The avatar whose heading is shown. */
  #headed: string | undefined;

  constructor() {
    super();
    this.versions = null;
    this.leaving = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#data.load();
    this.#timer = setInterval(() => void this.#readPages(), pagesIntervalMs);
    addEventListener("keydown", this.#press);
    addEventListener("beforeunload", this.#unload);
    this.#guard();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    removeEventListener("keydown", this.#press);
    removeEventListener("beforeunload", this.#unload);
    this.#data.value?.state.stop();
    stopSample();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const before = changed.get("params");
    if (before && before["id"] !== this.params["id"]) void this.#data.load();
    // The router forgets who guards a page when the address changes.
    if (before) this.#guard();
  }

  protected override updated(): void {
    const id = this.#isMissing ? this.params["id"] : this.#data.value?.id;
    if (id === this.#headed) return;
    this.#headed = id;
    if (id !== undefined) this.dispatchEvent(new Event(headingEvent, { bubbles: true }));
  }

  #guard(): void {
    this.services.router.guard((to) => this.#mayLeave(to.path));
  }

  get #tab(): Tab {
    return tabs.find((tab) => tab === this.params["tab"]) ?? "look";
  }

  /** There is no avatar at this address, or none any more. */
  get #isMissing(): boolean {
    const { error, value } = this.#data;
    return error?.code === "not_found" && value?.id !== this.params["id"];
  }

  get #mayEdit(): boolean {
    return this.services.session.may("editor");
  }

  async #load(signal: AbortSignal): Promise<Edited> {
    const { api } = this.services;
    const id = this.params["id"] ?? "";
    const [saved, resources, pages] = await Promise.all([
      loadContext(api, id, signal),
      loadResources(api, id),
      loadPages(api, id),
    ]);
    const update = (): void => this.#changed();
    const feed = PreviewFeed.of(api, id, () => this.requestUpdate());
    const state = new EditorState(saved, editorServer(api, id), update);
    if (this.#mayEdit) {
      await state.resume();
      this.#takeFace(state, resources);
      this.#show(state, feed);
    } else feed.contextId = saved.context_id;
    return { id, state, feed, resources, pages };
  }

  /** Whoever comes from making a face has chosen it. The address forgets it, so that a reload does not choose it again. */
  #takeFace(state: EditorState, { model_styles: styles }: EditorResources): void {
    const face = this.query.get("face");
    if (face === null) return;
    if (styles.some(({ name }) => name === face)) state.set("model_style", face);
    this.services.router.replace(`/avatars/${state.saved.id}/look`);
  }

  #show(state: EditorState, feed: PreviewFeed): void {
    feed.show(previewable(state.settings, settingsOf(state.saved), state.faults.keys()));
  }

  #changed(): void {
    const edited = this.#data.value;
    if (edited && this.#mayEdit) this.#show(edited.state, edited.feed);
    this.requestUpdate();
  }

  async #readPages(): Promise<void> {
    const edited = this.#data.value;
    const isShown = this.#tab === "embed" || this.#tab === "limits";
    if (!edited || this.#isReading || document.hidden || !isShown) return;
    this.#isReading = true;
    // What is shown stays when the server does not answer.
    edited.pages = await loadPages(this.services.api, edited.id).catch(() => edited.pages);
    this.#isReading = false;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    if (this.#isMissing) {
      const action = html`<a class="btn" href="#/avatars">${texts.nav.avatars}</a>`;
      return insteadOfPage({ title: texts.errors.noPage, text: texts.errors.notFound, action });
    }
    return whenLoaded(this.#data, (edited) => this.#editor(edited));
  }

  #view(edited: Edited): EditorView {
    const { state, resources, pages } = edited;
    const style = resources.model_styles.find(({ name }) => name === state.settings.model_style);
    const own = readConfig(state.settings.embed_config).ui?.avatar_name;
    return {
      state,
      resources,
      pages,
      services: this.services,
      mayEdit: this.#mayEdit,
      name: own ?? (style ? titleOf(style) : state.settings.name),
      update: () => this.requestUpdate(),
      reload: async () => {
        edited.resources = await loadResources(this.services.api, edited.id);
        this.requestUpdate();
      },
    };
  }

  #editor(edited: Edited): TemplateResult {
    const view = this.#view(edited);
    const { state } = edited;
    const changedTabs = new Set(state.changes.map(tabOf));
    return html`${editorHead({
        view,
        onSave: () => void this.#save(),
        onDiscard: () => this.#discard(),
        onHistory: () => void this.#openHistory(),
      })}
      ${conflictNote(state)}
      ${editorNotices({
        state,
        mayEdit: this.#mayEdit,
        show: (path) => this.#goTo(path),
        discard: () => this.#discard(),
      })}
      <div class="edit">
        ${editorTabs({ id: edited.id, name: view.name, tab: this.#tab, changed: changedTabs })}
        <div id="part">${tabView(view, this.#tab)}</div>
        <visavis-console-preview
          .content=${previewContent(view, edited.feed, this.#tab)}
          @framing=${this.#frame}
        ></visavis-console-preview>
      </div>
      ${this.#dialogs(state, view.name)}`;
  }

  #dialogs(state: EditorState, name: string): TemplateResult | typeof nothing {
    const answer = (mayLeave: boolean): void => {
      this.leaving?.(mayLeave);
      this.leaving = null;
    };
    const discard = (): void => {
      state.discard();
      answer(true);
    };
    if (this.leaving)
      return leaveDialog({
        name,
        changes: state.changes,
        onDiscard: discard,
        onStay: () => answer(false),
        onSave: () => void this.#save().then(answer),
      });
    if (!this.versions) return nothing;
    return historyDialog({
      versions: this.versions,
      mayEdit: this.#mayEdit,
      close: texts.close,
      onClose: () => (this.versions = null),
      onRestore: (revision) => void this.#restore(revision),
    });
  }

  readonly #frame = ({ detail }: CustomEvent<Paddings>): void => {
    for (const [key, value] of Object.entries(detail))
      this.#data.value?.state.set(`embed_config.stage.${key}`, value);
  };

  async #save(): Promise<boolean> {
    const { value: edited } = this.#data;
    if (!edited) return false;
    const isSaved = await edited.state.save();
    if (isSaved) {
      this.services.toasts.show(texts.editor.saved);
      void this.#readPages();
    }
    return isSaved;
  }

  #discard(): void {
    const { value: edited } = this.#data;
    if (!edited) return;
    const typed = edited.state.settings;
    edited.state.discard();
    const run = (): void => edited.state.put(typed);
    this.services.toasts.show(texts.editor.discarded, { action: { label: texts.undo, run } });
  }

  async #openHistory(): Promise<void> {
    const { value: edited } = this.#data;
    if (!edited) return;
    try {
      this.versions = await loadVersions(this.services.api, edited.id);
    } catch (error) {
      this.services.toasts.show(errorText(error));
    }
  }

  async #restore(revision: number): Promise<void> {
    const { value: edited } = this.#data;
    if (!edited) return;
    try {
      edited.state.showSaved(await restoreVersion(this.services.api, edited.id, revision));
      this.versions = null;
      this.services.toasts.show(texts.editor.restored(revision));
    } catch (error) {
      this.services.toasts.show(errorText(error));
    }
  }

  #goTo(path: string): void {
    const field = fieldAt(path);
    const { value: edited } = this.#data;
    if (!field || !edited) return;
    this.services.router.replace(`/avatars/${edited.id}/${field.tab}`);
    void this.updateComplete.then(() => {
      document.getElementById(fieldId(field.path))?.focus();
    });
  }

  /** Asks before unsaved changes are left, and waits for a save that is under way; other parts of the same avatar are no leaving. */
  async #mayLeave(path: string): Promise<boolean> {
    const { value: edited } = this.#data;
    if (!edited || path.startsWith(`/avatars/${edited.id}/`)) return true;
    await edited.state.untilSaved();
    if (edited.state.changes.length === 0) return true;
    return new Promise((resolve) => {
      this.leaving?.(false);
      this.leaving = resolve;
    });
  }

  readonly #unload = (event: BeforeUnloadEvent): void => {
    const state = this.#data.value?.state;
    state?.stop();
    if (state && state.changes.length > 0) event.preventDefault();
  };

  readonly #press = (event: KeyboardEvent): void => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (this.#mayEdit) void this.#save();
  };
}

customElements.define("visavis-console-editor", EditorPage);
