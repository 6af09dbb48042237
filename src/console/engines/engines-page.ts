import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import {
  engineKinds,
  type Engine,
  type EngineKind,
  type OfflineModel,
} from "../../protocol/console/engines.ts";
import { Loaded } from "../api/loaded.ts";
import { Polling } from "../api/polling.ts";
import { ConsolePage } from "../page.ts";
import { question } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { icon } from "../parts/icons.ts";
import type { MenuItem } from "../parts/menu.ts";
import { pageHead } from "../parts/page-head.ts";
import { whenLoaded } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import { heardVoice, playSample, stopSample } from "../voices/voice-sample.ts";
import { engineCard, engineTitle } from "./engine-card.ts";
import { isEdited } from "./engine-fields.ts";
import { engineForm, type EngineFormTarget } from "./engine-form.ts";
import {
  installModel,
  loadEngines,
  removeEngine,
  removeModel,
  testEngine,
  type EngineOverview,
} from "./engine-requests.ts";
import { isGoingOn, modelCard } from "./model-card.ts";
import "./engines.css";

const path = "/engines";
/** How often installations are followed, in ms. */
const followMs = 1_000;

/** The section in which each kind of model for this server stands. */
const modelSections: Readonly<Record<OfflineModel["kind"], EngineKind | "parts">> = {
  voice: "voice",
  recognizer: "recognizer",
  "streaming recognizer": "recognizer",
  "voice activity": "parts",
  library: "parts",
};

const keyOf = ({ kind, id }: Pick<Engine, "kind" | "id">): string => `${kind} ${id}`;

/** Something that is about to be removed. */
interface Removal {
  readonly name: string;
  readonly act: () => Promise<unknown>;
}

/** What thinks, speaks and listens: engines with state and test, and models that can be installed on this server. */
export class EnginesPage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    testing: { state: true },
    removal: { state: true },
  };
  /** The engines that are being tested. */
  declare testing: ReadonlySet<string>;
  declare removal: Removal | null;
  readonly #data = new Loaded<EngineOverview>(this, (signal) => loadEngines(this.services.api, signal));

  constructor() {
    super();
    this.testing = new Set();
    this.removal = null;
    new Polling(
      this,
      () => this.#data.load(),
      () => (this.#data.value?.models.some(({ installation }) => isGoingOn(installation)) ? followMs : null),
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#data.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    stopSample();
  }

  get #isOwner(): boolean {
    return this.services.session.may("owner");
  }

  protected override render(): TemplateResult {
    const { engines } = texts;
    const add = html`<a class="btn pri" href=${`#${path}?add=model`}>${icon("plus")} ${engines.add}</a>`;
    return html`${pageHead({
      title: engines.title,
      lead: engines.lead,
      actions: this.#isOwner ? add : nothing,
    })}
    ${whenLoaded(
      this.#data,
      (data) =>
        html`${engineKinds.map((kind) => this.#section(kind, data))} ${this.#parts(data)} ${this.#form(data)}`,
    )}
    ${this.removal ? this.#question(this.removal) : nothing}`;
  }

  #section(kind: EngineKind, { engines, models }: EngineOverview): TemplateResult | typeof nothing {
    const own = engines.filter((engine) => engine.kind === kind);
    const others = models.filter(
      (model) => modelSections[model.kind] === kind && !own.some(({ id }) => id === model.name),
    );
    if (own.length === 0 && others.length === 0) return nothing;
    const begun = others.filter((model) => model.is_installed || model.installation !== null);
    const offered = others.filter((model) => !begun.includes(model));
    return html`<section class="eng-section" aria-labelledby=${`kind-${kind}`}>
      <h2 id=${`kind-${kind}`}>${texts.engines.sections[kind]}</h2>
      <div class="engs">
        ${repeat(own, keyOf, (engine) => this.#engine(engine, models))}
        ${repeat(
          begun,
          ({ name }) => name,
          (model) => this.#model(model),
        )}
      </div>
      ${
        offered.length === 0
          ? nothing
          : html`<details class="offered">
              <summary>${texts.engines.install.offered(offered.length)}</summary>
              <div class="engs">${offered.map((model) => this.#model(model))}</div>
            </details>`
      }
    </section>`;
  }

  /** What models for this server need. */
  #parts({ models }: EngineOverview): TemplateResult {
    const { engines } = texts;
    const parts = models.filter(({ kind }) => modelSections[kind] === "parts");
    return html`<section class="eng-section" aria-labelledby="kind-parts">
      <h2 id="kind-parts">${engines.sections.parts}</h2>
      <p class="help">${engines.partsText}</p>
      <div class="engs">${parts.map((model) => this.#model(model))}</div>
    </section>`;
  }

  #engine(engine: Engine, models: readonly OfflineModel[]): TemplateResult {
    const model = models.find(({ name, is_installed: isInstalled }) => isInstalled && name === engine.id);
    const { kind, can_change: canChange } = engine;
    const mayChange =
      this.#isOwner && canChange && !engine.is_built_in && isEdited(kind) && !engine.is_offline;
    const change = (): void => this.services.router.go(path, { change: keyOf(engine) });
    const mayTest = this.services.session.may("editor");
    return engineCard({
      engine,
      bytes: model?.bytes ?? null,
      isTesting: this.testing.has(keyOf(engine)),
      mayTest,
      actions: [
        ...(mayTest && kind === "voice" ? [this.#testAction(engine)] : []),
        ...(this.#isOwner && canChange && !engine.is_built_in
          ? this.#actions(engine, model, mayChange && change)
          : []),
      ],
      onTest: () => void this.#test(engine),
      hearing: kind === "voice" ? this.#hearing(engine) : null,
      onKey: mayChange ? change : null,
    });
  }

  /** A voice is heard by the button; its test, which keeps the result, is in the menu. */
  #testAction(engine: Engine): MenuItem {
    const { again, start } = texts.engines.test;
    return {
      label: engine.last_test === null ? start : again,
      icon: "check",
      run: () => void this.#test(engine),
    };
  }

  #hearing(engine: Engine): { isHeard: boolean; toggle: () => void } {
    const { voices } = texts.engines;
    const isHeard = heardVoice() === engine.name;
    const toggle = (): void => {
      if (isHeard) {
        stopSample();
        this.requestUpdate();
        return;
      }
      const host = { services: this.services, failed: voices.failed, update: () => this.requestUpdate() };
      void playSample(host, {
        tts_type: engine.name,
        text: voices.sample(engineTitle(engine)).slice(0, 200),
      });
    };
    return { isHeard, toggle };
  }

  #actions(engine: Engine, model: OfflineModel | undefined, change: (() => void) | false): MenuItem[] {
    const { api } = this.services;
    const { engines } = texts;
    const act = (): Promise<unknown> => (model ? removeModel(api, model.name) : removeEngine(api, engine));
    const remove: MenuItem = {
      label: engines.remove,
      icon: "trash",
      isDangerous: true,
      run: () => (this.removal = { name: engineTitle(engine), act }),
    };
    return change === false ? [remove] : [{ label: engines.change, icon: "settings", run: change }, remove];
  }

  #model(model: OfflineModel): TemplateResult {
    const { api } = this.services;
    return modelCard({
      model,
      mayInstall: this.#isOwner,
      onInstall: () => void this.#do(() => installModel(api, model.name)),
      onRemove: () => (this.removal = { name: model.name, act: () => removeModel(api, model.name) }),
    });
  }

  #form({ engines, presets }: EngineOverview): TemplateResult | typeof nothing {
    if (!this.#isOwner) return nothing;
    const target = this.#target(engines);
    if (target === null) return nothing;
    const close = (): void => this.services.router.replace(path);
    return engineForm(this.services, presets, target, {
      onClose: close,
      onSaved: () => void this.#data.load(),
    });
  }

  /** What the address asks for. */
  #target(engines: readonly Engine[]): EngineFormTarget | null {
    const add = this.query.get("add");
    const kind = engineKinds.find((one) => one === add);
    if (kind !== undefined && isEdited(kind)) return { kind, engine: null };
    const changed = this.query.get("change");
    const engine = engines.find((one) => keyOf(one) === changed);
    return engine && isEdited(engine.kind) ? { kind: engine.kind, engine } : null;
  }

  async #test(engine: Engine): Promise<void> {
    const key = keyOf(engine);
    this.testing = new Set([...this.testing, key]);
    await this.#do(() => testEngine(this.services.api, engine));
    this.testing = new Set([...this.testing].filter((one) => one !== key));
  }

  /** Does something with the engines, and reads them again. A failure is told at the foot of the page. */
  async #do(act: () => Promise<unknown>, say?: string): Promise<void> {
    const { toasts } = this.services;
    try {
      await act();
      if (say !== undefined) toasts.show(say);
    } catch (error) {
      toasts.show(errorText(error));
    }
    await this.#data.load();
  }

  #question({ name, act }: Removal): TemplateResult {
    const { engines } = texts;
    return question({
      title: engines.askRemove(name),
      text: engines.askRemoveText,
      yes: engines.remove,
      no: texts.cancel,
      isDangerous: true,
      onNo: () => (this.removal = null),
      onYes: () => {
        this.removal = null;
        void this.#do(act, engines.removed(name));
      },
    });
  }
}

customElements.define("visavis-console-engines", EnginesPage);
