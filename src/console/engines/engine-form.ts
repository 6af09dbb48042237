import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import {
  type Engine,
  engineConflictSchema,
  type EnginePreset,
  type EngineTest,
} from "../../protocol/console/engines.ts";
import { ApiError } from "../api/api-error.ts";
import { modal } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError } from "../parts/field.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { testNote } from "./engine-card.ts";
import {
  draftOf,
  type EditedKind,
  engineBody,
  type EngineDraft,
  faultOfField,
  isEdited,
  withPreset,
} from "./engine-fields.ts";
import {
  type Adopt,
  conflictNote,
  type EngineFields,
  keyFields,
  kindChoice,
  leaveQuestion,
  modelField,
  providerChoice,
  textInput,
  textNames,
} from "./engine-form-fields.ts";
import { isExtraWrong, moreOfKind } from "./engine-more.ts";
import { moreFields } from "./engine-more-fields.ts";
import { findModels, putEngine, testEngine } from "./engine-requests.ts";

/** What the form is about. */
export interface EngineFormTarget {
  readonly kind: EditedKind;
  /** The engine that is changed; null: a new one. */
  readonly engine: Engine | null;
}

/** The form that adds or changes an engine, as a sheet at the side. It saves, then tests with a real call. */
class EngineForm extends LitElement {
  static override properties: PropertyDeclarations = {
    services: { attribute: false },
    target: { attribute: false },
    presets: { attribute: false },
    onClose: { attribute: false },
    onSaved: { attribute: false },
    draft: { state: true },
    saved: { state: true },
    error: { state: true },
    test: { state: true },
    found: { state: true },
    busy: { state: true },
    isLeaving: { state: true },
    theirs: { state: true },
  };
  declare services: Services;
  declare target: EngineFormTarget;
  declare presets: readonly EnginePreset[];
  declare onClose: () => void;
  declare onSaved: () => void;
  declare draft: EngineDraft;
  /** The engine as it was saved; null: it is new and was not saved yet. */
  declare saved: Engine | null;
  declare error: ApiError | null;
  declare test: EngineTest | null;
  /** The models at the address; null: nobody has asked. */
  declare found: readonly string[] | null;
  declare busy: "" | "saving" | "testing" | "finding";
  /** Whoever closes the form is asked whether what was typed may go. */
  declare isLeaving: boolean;
  /** The engine as somebody else saved it meanwhile. */
  declare theirs: Engine | null;
  #isDirty = false;

  constructor() {
    super();
    this.saved = null;
    this.error = null;
    this.test = null;
    this.found = null;
    this.busy = "";
    this.isLeaving = false;
    this.theirs = null;
    this.draft = draftOf("model", null);
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.saved = this.target.engine;
    this.draft = draftOf(this.target.kind, this.target.engine);
    this.services.router.guard(() => {
      this.isLeaving = this.#isDirty;
      return !this.#isDirty;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.services.router.guard(null);
  }

  protected override render(): TemplateResult {
    const { form } = texts.engines;
    const title = this.saved === null ? form.titles[this.draft.kind] : form.change(this.saved.name);
    return modal({ title, isSide: true, onClose: () => this.#close(), content: this.#content() });
  }

  #content(): TemplateResult {
    const { form } = texts.engines;
    const { draft, saved, busy, test, error } = this;
    const isNew = saved === null;
    // A reason that belongs to no field of the form stands below them.
    const fields = this.#fields();
    const named = [...textNames, ...moreOfKind[draft.kind]];
    const isPlaced = named.some((name) => (isNew || name !== "name") && fields.fault(name) !== undefined);
    const fault = error === null || isPlaced ? undefined : errorText(error);
    return html`<form class="fields eng-form" @submit=${this.#submit}>
      ${isNew ? this.#beginning() : nothing}
      ${textInput(fields, "address", { label: form.address, help: form.addressHelp[draft.kind], required: true })}
      ${draft.kind === "tools" ? nothing : modelField(fields)}
      ${draft.kind === "voice" ? textInput(fields, "voice", { label: form.voice, help: form.voiceHelp }) : nothing}
      ${isNew ? textInput(fields, "name", { label: form.name, help: form.nameHelp[draft.kind], required: true }) : nothing}
      ${keyFields(fields)} ${moreFields(fields)} ${fieldError("engine", fault)}
      ${conflictNote(saved, this.theirs, draft, this.#adopt)}
      <div role="status">
        ${busy === "testing" ? html`<p class="note">${texts.engines.test.running}</p>` : test === null ? nothing : testNote(test)}
      </div>
      ${
        this.isLeaving
          ? leaveQuestion(
              () => (this.isLeaving = false),
              () => this.onClose(),
            )
          : this.#actions()
      }
    </form>`;
  }

  readonly #adopt: Adopt = (saved, draft, isDirty) => {
    this.saved = saved;
    this.theirs = null;
    this.draft = draft;
    this.#isDirty = isDirty;
  };

  #actions(): TemplateResult {
    const { form } = texts.engines;
    const isDone = this.test !== null && !this.#isDirty;
    return html`<div class="row w acts">
      <button type="button" class="btn" @click=${() => this.#close()}>
        ${isDone ? texts.close : texts.cancel}
      </button>
      <button class="btn pri" ?disabled=${this.busy !== ""}>
        ${this.saved === null ? form.add : form.save}
      </button>
    </div>`;
  }

  /** What only a new engine is asked for. */
  #beginning(): TemplateResult {
    const { draft, presets } = this;
    const choose = (chosen: EngineDraft): void => {
      this.#change(chosen);
      this.found = null;
    };
    return html`${kindChoice(draft, (kind) => choose({ ...draftOf(kind, null), name: draft.name }))}
    ${draft.kind === "tools" ? nothing : providerChoice(draft, presets, (preset) => choose(withPreset(draft, preset)))}`;
  }

  #fields(): EngineFields {
    const { draft, presets, found, busy, saved, error } = this;
    return {
      ...{ draft, presets, found, isFinding: busy === "finding", isBusy: busy !== "" },
      savedKey: saved?.key.from ?? "none",
      fault: (name) => (error === null ? undefined : faultOfField(error.fields, name)),
      change: (changed) => this.#change(changed),
      find: () => void this.#find(),
    };
  }

  #change(draft: EngineDraft): void {
    this.draft = draft;
    this.#isDirty = true;
  }

  async #find(): Promise<void> {
    const { address, keyChoice, key } = this.draft;
    this.busy = "finding";
    this.error = null;
    try {
      this.found = await findModels(this.services.api, address, keyChoice === "value" ? key : "");
    } catch (error) {
      this.#fail(error);
    } finally {
      this.busy = "";
    }
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.busy !== "") return;
    const { draft, services } = this;
    this.error = null;
    if (isExtraWrong(draft.more)) {
      this.error = new ApiError("invalid", { fields: { extra_body: texts.engines.form.extraWrong } });
      return;
    }
    this.busy = "saving";
    this.theirs = null;
    this.test = null;
    try {
      const id = this.saved?.id ?? draft.name.trim();
      const saved = await putEngine(services.api, { kind: draft.kind, id }, engineBody(draft, this.saved));
      this.saved = saved;
      // The key is the server's now; it cannot be read back.
      if (isEdited(saved.kind)) this.draft = draftOf(saved.kind, saved);
      this.#isDirty = false;
      this.onSaved();
      this.busy = "testing";
      this.test = await testEngine(services.api, saved);
      this.onSaved();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.busy = "";
    }
  }

  #fail(error: unknown): void {
    this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    if (this.error.code !== "conflict") return;
    const { data } = engineConflictSchema.safeParse(this.error.body);
    if (!data) return;
    // A new engine does not replace one that has its name: it gets another name.
    if (this.saved === null)
      this.error = new ApiError("invalid", { fields: { name: texts.engines.form.nameTaken } });
    else {
      this.theirs = data.current;
      this.error = null;
    }
  }

  #close(): void {
    if (this.#isDirty) this.isLeaving = true;
    else this.onClose();
  }
}

customElements.define("visavis-console-engine-form", EngineForm);

/** The form for an engine. `onSaved`: the list has changed; the form stays open and shows the test. */
export function engineForm(
  services: Services,
  presets: readonly EnginePreset[],
  target: EngineFormTarget,
  { onClose, onSaved }: { onClose: () => void; onSaved: () => void },
): TemplateResult {
  return html`<visavis-console-engine-form
    .services=${services}
    .presets=${presets}
    .target=${target}
    .onClose=${onClose}
    .onSaved=${onSaved}
  ></visavis-console-engine-form>`;
}
