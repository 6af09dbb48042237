import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import type { ContextTemplate } from "../../protocol/console/avatars.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";
import { Loaded } from "../api/loaded.ts";
import { ConsolePage } from "../page.ts";
import { errorText } from "../parts/error-text.ts";
import { icon } from "../parts/icons.ts";
import type { MenuItem } from "../parts/menu.ts";
import { pageHead } from "../parts/page-head.ts";
import { empty, whenLoaded } from "../parts/states.ts";
import { linkTo } from "../router.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import {
  avatarCard,
  type AvatarOverview,
  createAvatar,
  deleteAvatar,
  duplicateAvatar,
  loadAvatars,
  restoreAvatar,
  setActive,
} from "./avatar-card.ts";
import type { Faces } from "./face-requests.ts";
import { withFreeNames } from "./free-names.ts";
import "./avatars.css";

/** The editor's address; null while the console has no such page. */
function editorLink({ hasPage }: Services, id: string): string | null {
  const path = `/avatars/${encodeURIComponent(id)}/look`;
  return hasPage(path) ? linkTo(path) : null;
}

/** Whether the demo page's avatars are shown beside one's own, as it was chosen in this browser. */
const examplesKey = "visavis-console-hides-examples";

function showsExamples(): boolean {
  try {
    return localStorage.getItem(examplesKey) === null;
  } catch {
    return true;
  }
}

function showExamples(shows: boolean): void {
  try {
    if (shows) localStorage.removeItem(examplesKey);
    else localStorage.setItem(examplesKey, "1");
  } catch {
    // They are shown next time.
  }
}

/** The list of avatars: templates, duplicate, on and off, delete. */
export class AvatarsPage extends ConsolePage {
  static override properties: PropertyDeclarations = { ...ConsolePage.properties, busy: { state: true } };
  /** What is being done, so that it is not done twice; empty: nothing. */
  declare busy: string;
  readonly #data = new Loaded<AvatarOverview>(this, (signal) => loadAvatars(this.services.api, signal));

  constructor() {
    super();
    this.busy = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#data.load();
  }

  protected override render(): TemplateResult {
    const { title, lead, photo } = texts.avatars;
    const actions = this.services.session.may("editor")
      ? html`<a class="btn" href=${linkTo("/avatars/photo")}>${icon("person")}${photo}</a>`
      : nothing;
    return html`${pageHead({ title, lead, actions })}
    ${whenLoaded(this.#data, (data) => html`${this.#list(data)}${this.#templates(data)}`)}`;
  }

  #list({ avatars, faces }: AvatarOverview): TemplateResult {
    const mayEdit = this.services.session.may("editor");
    if (avatars.length === 0)
      return empty({
        icon: "person",
        title: texts.avatars.none,
        text: mayEdit ? texts.avatars.noneText : texts.avatars.noneForViewer,
      });
    const own = avatars.filter((avatar) => !avatar.is_demo);
    if (own.length === 0 || own.length === avatars.length) return this.#cards(avatars, faces);
    const demos = avatars.filter((avatar) => avatar.is_demo);
    const toggle = (event: Event): void => {
      if (event.target instanceof HTMLDetailsElement) showExamples(event.target.open);
    };
    return html`${this.#cards(own, faces)}
      <details class="examples" ?open=${showsExamples()} @toggle=${toggle}>
        <summary>${texts.avatars.examples(demos.length)}</summary>
        ${this.#cards(demos, faces)}
      </details>`;
  }

  #cards(avatars: readonly Avatar[], faces: Faces): TemplateResult {
    const mayEdit = this.services.session.may("editor");
    return html`<div class="grid g3 ava-grid" aria-busy=${this.busy === "" ? "false" : "true"}>
      ${repeat(
        avatars,
        ({ id }) => id,
        (avatar) =>
          avatarCard({
            avatar,
            face: faces.get(avatar.model_style),
            actions: mayEdit ? this.#actions(avatar) : [],
            editor: editorLink(this.services, avatar.id),
          }),
      )}
    </div>`;
  }

  #actions(avatar: Avatar): MenuItem[] {
    const { api } = this.services;
    const name = avatar.avatar_name;
    const isPaused = avatar.state === "paused";
    return [
      {
        label: isPaused ? texts.avatars.resume : texts.avatars.pause,
        icon: isPaused ? "check" : "minus",
        run: () =>
          void this.#do(
            () => setActive(api, avatar.id, isPaused),
            () => (isPaused ? texts.avatars.resumed(name) : texts.avatars.paused(name)),
          ),
      },
      {
        label: texts.avatars.duplicate,
        icon: "copy",
        run: () =>
          void this.#do(
            () => duplicateAvatar(api, avatar.id),
            (copy) => texts.avatars.duplicated(copy.name),
          ),
      },
      { label: texts.avatars.delete, icon: "trash", isDangerous: true, run: () => void this.#delete(avatar) },
    ];
  }

  async #delete({ id, avatar_name: name }: Avatar): Promise<void> {
    const { api, toasts } = this.services;
    const isGone = await this.#do(() => deleteAvatar(api, id));
    if (!isGone) return;
    const run = (): void =>
      void this.#do(
        () => restoreAvatar(api, id),
        () => texts.avatars.restored(name),
      );
    toasts.show(texts.avatars.deleted(name), { action: { label: texts.undo, run } });
  }

  #templates({ avatars, templates, faces }: AvatarOverview): TemplateResult | typeof nothing {
    if (!this.services.session.may("editor")) return nothing;
    return html`<h2 class="new-head" id="new-avatar">${texts.avatars.new}</h2>
      <div class="tpl" role="group" aria-labelledby="new-avatar">
        ${templates.map((template) => {
          const [title, description] = texts.avatars.templates[template.id] ?? [
            template.title,
            template.description,
          ];
          const porthole = faces.get(template.settings.model_style)?.porthole;
          const isEmpty = template.id === "blank" || !porthole;
          return html`<button
            @click=${() => void this.#create(template, avatars)}
            ?disabled=${this.busy !== ""}
          >
            ${
              isEmpty
                ? html`<span class="docic">${icon("plus")}</span>`
                : html`<span class="port"><img src=${porthole} alt="" width="160" height="160" /></span>`
            }
            <span><b>${title}</b><span>${description}</span></span>
          </button>`;
        })}
      </div>`;
  }

  async #create({ settings }: ContextTemplate, avatars: readonly Avatar[]): Promise<void> {
    await this.#do(
      async () => {
        const made = await createAvatar(this.services.api, withFreeNames(settings, avatars));
        const editor = editorLink(this.services, made.id);
        if (editor !== null) location.hash = editor;
        return made;
      },
      (made) => texts.avatars.created(readConfig(made.embed_config).ui?.avatar_name ?? made.name),
    );
  }

  /** Makes a change to the avatars, confirms it, and reads them again. Returns false if it failed. */
  async #do<Result>(act: () => Promise<Result>, say?: (result: Result) => string): Promise<boolean> {
    if (this.busy !== "") return false;
    this.busy = "busy";
    try {
      const result = await act();
      if (say) this.services.toasts.show(say(result));
      return true;
    } catch (error) {
      this.services.toasts.show(errorText(error));
      return false;
    } finally {
      this.busy = "";
      void this.#data.load();
    }
  }
}

customElements.define("visavis-console-avatars", AvatarsPage);
