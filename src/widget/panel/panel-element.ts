import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { paddingAttributes, paddingsOf, type SetPaddings } from "../stage/set-paddings.ts";
import { type AvatarSession, type AvatarSessionOptions, hasSaved } from "../../client/index.ts";
import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import { chosenVariant, type Variant, type VariantTraits } from "../../protocol/settings/variant.ts";
import { LauncherController } from "../launcher/launcher-controller.ts";
import { SessionController } from "../session/session-controller.ts";
import { applyAppearance, applySettings } from "../settings/appearance.ts";
import { SurroundingsController } from "../settings/surroundings-controller.ts";
import { FirstFrameController } from "../stage/first-frame-controller.ts";
import { PictureController } from "../stage/picture-controller.ts";
import type { Picture } from "../stage/stage-mount.ts";
import panelCss from "../styles/panel.css?inline";
import { adoptStyles } from "../styles/style-sheets.ts";
import tokensCss from "../styles/tokens.css?inline";
import { conversationLanguage, directionOf, languageOf, type TextLanguage } from "../texts/language.ts";
import { FocusController } from "./focus-controller.ts";
import { LazyViews, loadError } from "./lazy-views.ts";
import { OpenController } from "./open-controller.ts";
import { PanelController } from "./panel-controller.ts";
import type { PanelHost, PanelModel } from "./panel-host.ts";
import { isComplete, nextViews, panelViews, shownModel, type ShownModel, traitsOf } from "./panel-model.ts";
import type { PanelParts } from "./panel-state.ts";
import { shell } from "./shell.ts";

/**
 * What the visitor sees of the element: launcher and panel. Each concern with a lifecycle is a controller; `model` is
 * derived from their states before each rendering. `VisavisAvatar` adds the contract with the page.
 */
export abstract class PanelElement extends LitElement implements PanelHost {
  static override properties = {
    contextId: { attribute: "context-id" },
    relay: {},
    variant: {},
    placement: {},
    theme: {},
    mode: {},
    transparent: { type: Boolean },
    captions: {},
  };

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...paddingAttributes];
  }

  declare contextId: string | null;
  declare relay: string | null;
  declare variant: string | null;
  declare placement: string | null;
  declare theme: string | null;
  declare mode: string | null;
  declare transparent: boolean;
  declare captions: string | null;

  /** @internal */
  model: PanelModel | null = null;
  protected readonly session = new SessionController(this, {
    options: () => this.sessionOptions(),
    make: (options) => this.makeSession(options),
  });
  protected readonly opening: OpenController;
  protected readonly panel: PanelController;
  #root: ShadowRoot | null = null;
  #asked = false;
  #restoredFor = "";
  #paddings: SetPaddings = {};
  readonly #surroundings = new SurroundingsController(this);
  readonly #firstFrame = new FirstFrameController(this, this.patienceMs);
  readonly #picture = new PictureController(this, this.session, () => {
    this.#firstFrame.handleFrame();
  });
  readonly #views = new LazyViews(this, (css) => {
    this.#picture.measure(this.#views.loaded.chrome);
    if (this.#root) adoptStyles(this.#root, css);
  });
  readonly #launcher = new LauncherController(this, {
    press: () => {
      if (!this.session.isBusy) void this.panel.enter();
      // The request has left. The panel is drawn in a task of its own, so that neither is long on a slow device.
      setTimeout(() => {
        if (this.traits.floating || this.traits.leaves) this.setAttribute("open", "");
        else void this.opening.replaceFrame();
      });
    },
    reach: () => {
      if (this.contextId) void this.#prepare();
    },
  });

  constructor() {
    super();
    const focus = new FocusController(this);
    this.panel = new PanelController(this, { session: this.session, views: this.#views, focus });
    this.opening = new OpenController(this, {
      launcher: this.#launcher,
      surroundings: this.#surroundings,
      focus,
      views: this.#views,
    });
  }

  /** How long an open panel waits for the first frame before its controls are loaded, in ms. */
  protected get patienceMs(): number {
    return 400;
  }

  protected abstract makeSession(options: AvatarSessionOptions): AvatarSession;
  /** What a session is made from: the element's attributes. */
  protected abstract sessionOptions(): AvatarSessionOptions;

  /** The traits of the variant that is shown. */
  protected get traits(): VariantTraits {
    return traitsOf(this.#variant, this);
  }

  /** The variant that is shown: the attribute's, else the owner's, else the default. */
  get #variant(): Variant {
    return chosenVariant(this.variant ?? this.#ui.variant);
  }

  get #ui(): UiConfig {
    return this.session.context?.ui ?? {};
  }

  get #place(): string {
    return this.panel.placeBeside(this.#launcher) ?? this.placement ?? this.#ui.placement ?? "bottom-right";
  }

  get #language(): TextLanguage | null {
    const { language: chosen } = this.panel.settings;
    return conversationLanguage(this, chosen, this.#ui.languages, this.#views.loaded.languages, () => {
      this.requestUpdate();
    });
  }

  /** BCP 47 tag of the conversation's language. */
  protected get locale(): string {
    return this.model?.language?.locale ?? this.panel.settings.language ?? languageOf(this);
  }

  /** Renders into a box beside the loader's launcher, which stays as it is. */
  protected override createRenderRoot(): HTMLElement {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#root = root;
    adoptStyles(root, tokensCss, panelCss);
    const box = document.createElement("div");
    box.className = "vv";
    root.append(box);
    this.#launcher.adopt(root);
    return box;
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (!paddingAttributes.includes(name)) return;
    this.#paddings = paddingsOf(this);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is only moved in the page keeps its context.
    queueMicrotask(() => {
      if (!this.isConnected) this.#asked = false;
    });
  }

  /** Nothing is drawn or loaded any more for an element that has been removed. */
  protected override shouldUpdate(): boolean {
    return this.isConnected;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    this.#picture.measure(this.#views.loaded.chrome);
    if (this.contextId && !this.#asked) this.#loadContext();
    if (this.opening.opened) this.#firstFrame.wait();
    const { context } = this.session;
    if (context && this.#restoredFor !== context.context_id) {
      this.#restoredFor = context.context_id;
      void this.panel.restore(context);
    }
    const { settings } = this.panel;
    this.#surroundings.reduceMotion = settings.reduceMotion === true;
    applySettings(this.session, settings, this.#surroundings.now.reducedMotion);
    this.model = this.#derive();
    if (!this.model.drawn) this.session.current?.setInView(false);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { model, session } = this;
    if (!model) return nothing;
    const launcher = this.#drawsLauncher(model)
      ? this.#views.loaded.launcher?.launcherView({
          host: this,
          t: model.t,
          inWriting: model.textOnly,
          context: session.context,
          still: session.context?.model_style.still ?? null,
          place: this.#place,
        })
      : nothing;
    if (!model.drawn) return html`${launcher}`;
    return html`${launcher}${shell({
      model,
      place: this.#place,
      inViewport: this.parentElement === document.body,
      closed: model.traits.leaves === true && !this.opening.shown,
      picture: this.#picture.element,
      ringStart: this.#picture.ringStart,
      parts: this.#parts(model),
      handleKey: this.panel.handleKey,
      handleCancel: this.panel.handleCancel,
    })}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { model } = this;
    if (!model) return;
    this.#showAppearance(model);
    this.#showLauncher(model);
    if (this.#fillsWindow(model)) this.opening.showAtOnce();
    this.#picture.show(this.#look(model));
    this.#picture.adapt(this.#views.loaded);
    this.#picture.glide(this.opening.settled || !model.traits.floating, this.#surroundings.now.reducedMotion);
  }

  #derive(): PanelModel {
    const language = this.#language;
    const shown = shownModel({
      element: this,
      variant: this.#variant,
      ui: this.#ui,
      // Read before anything is drawn: afterwards the browser would have to compute all styles for it.
      ...{ language, direction: directionOf(this, language) },
      session: this.session,
      panel: this.panel,
      surroundings: this.#surroundings.now,
      used: this.opening.used,
      framed: this.#launcher.external,
    });
    return { ...shown, complete: this.#loadViews(shown) };
  }

  /** Loads the views that are needed now, and those that will be needed next. Returns whether the panel is complete. */
  #loadViews(shown: ShownModel): boolean {
    const views = this.#views;
    const needed = panelViews(shown, this.#firstFrame.over);
    views.need(this.#drawsLauncher(shown) ? ["launcher", ...needed] : needed);
    const complete = isComplete(shown, views);
    // Complete, or never opened.
    if (complete === shown.drawn && this.session.snapshot.state === "live")
      for (const name of nextViews(shown)) void views.load(name);
    return complete;
  }

  /** The panel's parts, once they are there. What could not be loaded is replaced by an error. */
  #parts(model: PanelModel): PanelParts | null {
    const { panel } = this;
    const { loaded, failed, retry } = this.#views;
    const now = this.#surroundings.now;
    const { snapshot, context } = this.session;
    const chrome = model.complete ? loaded.chrome : undefined;
    const parts = chrome?.panelParts({
      model,
      session: snapshot,
      context,
      touch: now.touch,
      wholeSentences: now.reducedMotion,
      reducedMotion: now.reducedMotion && !panel.settings.reduceMotion,
      panel: panel.actions(chrome),
      toolTitle: (name) => this.session.toolTitle(name),
      host: this,
      current: this.session.current,
      lazy: this.#views,
      views: loaded,
    });
    if (!failed) return parts ?? null;
    return { ...parts, below: loadError(model.t, retry, model.traits.floating ? panel.minimise : null) };
  }

  #drawsLauncher({ traits }: Pick<PanelModel, "traits">): boolean {
    const needed = traits.floating === true || (traits.leaves === true && this.opening.used);
    return needed && !this.#launcher.external && this.session.context !== null;
  }

  /** Without the loader's launcher an element that fills the window is there from the start. */
  #fillsWindow({ traits, view }: PanelModel): boolean {
    const known = this.session.context !== null || view.page !== "start";
    return traits.leaves === true && known && !this.opening.used && !this.#launcher.external;
  }

  #showAppearance({ variant, layout, lang, direction }: PanelModel): void {
    if (!this.#root) return;
    applyAppearance(this, this.#root, this.renderRoot as HTMLElement, {
      variant,
      theme: this.theme,
      ui: this.#ui,
      lang,
      direction,
      settings: this.panel.settings,
      heightPx: layout.fit === "phone" ? this.#surroundings.now.viewport.height : null,
    });
  }

  #showLauncher(model: PanelModel): void {
    const { traits, drawn } = model;
    const { opened, shown } = this.opening;
    this.#launcher.show({ hidden: traits.floating || traits.leaves ? shown : drawn, expanded: opened });
    this.#views.loaded.extras?.showLauncher(this.#launcher.parts, {
      host: this,
      model,
      session: this.session,
      panel: this.panel,
      views: this.#views,
      place: this.#place,
      shown,
    });
  }

  /** How the picture is shown. Until the context is there, the launcher's own still is shown. */
  #look({ transparent }: Pick<PanelModel, "transparent">): Omit<Picture, "context"> {
    return { transparent, paddings: this.#paddings, still: this.#launcher.still };
  }

  /**
   * Loads the context. Where a loader's launcher loads this module because the visitor reaches for it, the offer is made ahead of
   * the click too; not where the page was idle. An element that is visible by itself needs its context to be drawn.
   */
  #loadContext(): void {
    this.#asked = true;
    void this.session.loadContext(!this.#launcher.external || this.opening.opened);
    if (this.contextId && hasSaved(this.contextId)) void this.#resume();
    else if (this.#launcher.button?.dataset["reached"]) void this.#prepare();
  }

  /** Takes up the conversation of the tab's last page, and opens the panel as it was there. */
  async #resume(): Promise<void> {
    const view = await this.session.ensure().resume();
    if (view?.["text"]) this.panel.textOpen = true;
    if (view?.["open"]) this.setAttribute("open", "");
    this.requestUpdate();
  }

  /** The visitor reaches for the launcher: offer, context and pictures are there when the click comes. */
  async #prepare(): Promise<void> {
    if (this.#language) void this.#views.load("languages");
    this.session.ensure().prepare();
    if ((await this.session.loadContext(false)) && this.isConnected)
      this.#picture.prepare(this.#look(this.#derive()));
    // After a click without a pause, what can wait would delay the first frame.
    if (this.session.mayDraw(this.opening.opened)) void this.#views.load("drawing");
    if (!this.opening.opened) void this.#views.load("extras");
  }
}
