import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { AvatarSession, AvatarSessionOptions } from "../../client/index.ts";
import type { UiConfig } from "../../protocol/embed-config.ts";
import {
  defaultVariant,
  isVariant,
  variants,
  type Variant,
  type VariantTraits,
} from "../../protocol/variant.ts";
import { LauncherController } from "../launcher/launcher-controller.ts";
import { SessionController } from "../session/session-controller.ts";
import { applyAppearance } from "../settings/appearance.ts";
import { SurroundingsController } from "../settings/surroundings-controller.ts";
import { FirstFrameController } from "../stage/first-frame-controller.ts";
import { paddingAttributes, paddingsOf, type SetPaddings } from "../stage/framing.ts";
import { PictureController } from "../stage/picture-controller.ts";
import type { Picture } from "../stage/stage-mount.ts";
import panelCss from "../styles/panel.css?inline";
import { adoptStyles } from "../styles/style-sheets.ts";
import tokensCss from "../styles/tokens.css?inline";
import { textsFor } from "../texts/language.ts";
import { FocusController } from "./focus-controller.ts";
import { layoutOf, opensColumn } from "./layout.ts";
import { LazyViews, type ViewName } from "./lazy-views.ts";
import { loadError } from "./load-error.ts";
import { OpenController } from "./open-controller.ts";
import { PanelController } from "./panel-controller.ts";
import { modeOf, type Mode, type PanelHost, type PanelModel } from "./panel-host.ts";
import type { PanelParts } from "./panel-parts.ts";
import { shell } from "./shell.ts";
import { StatusController } from "./status-controller.ts";
import { viewOf } from "./view.ts";

/** The view that fills the panel in each mode; in voice mode its controls do. */
const viewNames: { readonly [Name in Mode]: ViewName | null } = {
  voice: null,
  text: "transcript",
  page: "pages",
  more: "pages",
  end: "pages",
};

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
  #paddings: SetPaddings = {};
  readonly #surroundings = new SurroundingsController(this);
  readonly #status = new StatusController(this);
  readonly #firstFrame = new FirstFrameController(this, this.patienceMs);
  readonly #picture = new PictureController(this, this.session, () => {
    this.#firstFrame.handleFrame();
  });
  readonly #views = new LazyViews(this, (css) => {
    if (this.#root) adoptStyles(this.#root, css);
  });
  readonly #launcher = new LauncherController(this, {
    press: () => {
      if (!this.session.isBusy) void this.panel.enter();
      this.setAttribute("open", "");
    },
    reach: () => {
      if (this.contextId) void this.#prepare();
    },
  });

  constructor() {
    super();
    const focus = new FocusController(this);
    const partners = { session: this.session, views: this.#views, focus };
    this.panel = new PanelController(this, partners);
    this.opening = new OpenController(this, {
      launcher: this.#launcher,
      surroundings: this.#surroundings,
      focus,
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
    return variants[this.#variant];
  }

  /** The variant that is shown: the attribute's, else the owner's, else the default. */
  get #variant(): Variant {
    const name = this.variant ?? this.#ui.variant;
    return isVariant(name) ? name : defaultVariant;
  }

  get #ui(): UiConfig {
    return this.session.context?.ui ?? {};
  }

  get #place(): string {
    return this.placement ?? this.#ui.placement ?? "bottom-right";
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
    if (this.contextId && !this.#asked) this.#loadContext();
    if (this.opening.opened) this.#firstFrame.wait();
    this.session.current?.setReducedMotion(this.#surroundings.now.reducedMotion);
    this.model = this.#derive();
    this.#status.update(this.model.view.badge);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { model, session } = this;
    if (!model) return nothing;
    const launcher = this.#drawsLauncher(model)
      ? this.#views.loaded.launcher?.launcherView({
          t: model.t,
          still: session.context?.model_style.still ?? null,
          place: this.#place,
        })
      : nothing;
    if (!model.drawn) return html`${launcher}`;
    return html`${launcher}${shell({
      model,
      place: this.#place,
      inViewport: this.parentElement === document.body,
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
    this.#picture.show(this.#look(model));
    const { reducedMotion } = this.#surroundings.now;
    const moves = !reducedMotion && (this.opening.settled || !model.traits.floating);
    this.#picture.followLayout(model.below, moves);
  }

  #derive(): PanelModel {
    const { panel } = this;
    const { snapshot, context } = this.session;
    const ui = this.#ui;
    const variant = this.#variant;
    const traits: VariantTraits = variants[variant];
    const { viewport, box } = this.#surroundings.now;
    const textOnly = this.mode === "text";
    const textOpen = textOnly || (panel.textOpen ?? opensColumn(variant, box));
    const captionsOn =
      panel.captions ?? (this.captions === null ? ui.captions : this.captions !== "false") ?? true;
    const view = viewOf(snapshot, {
      starting: panel.starting,
      moreOpen: panel.moreOpen,
      captions: captionsOn,
      textInput: ui.text_input !== false,
      suggestions: Boolean(ui.suggestions?.length),
      beginOnPicture: !traits.floating,
    });
    const shown = {
      ...textsFor(this, ui, context?.avatar_name ?? "", context?.name ?? ""),
      variant,
      traits,
      layout: layoutOf(variant, viewport, box, textOpen, textOnly),
      view,
      mode: modeOf(view, textOpen),
      captionsOn,
      textOpen,
      transparent: this.transparent || context?.stage.transparent === true || traits.transparent === true,
      drawn: traits.floating ? this.opening.used : context !== null || view.page !== "start",
    };
    return { ...shown, ...this.#loadViews(shown) };
  }

  /** Loads the views that are to be drawn, and those that will be needed next. Tells what is there. */
  #loadViews(shown: Omit<PanelModel, "complete" | "below">): Pick<PanelModel, "complete" | "below"> {
    const views = this.#views;
    const { drawn, mode, layout, view } = shown;
    const name = viewNames[mode];
    const needed: ViewName[] = [];
    if (this.#drawsLauncher(shown)) needed.push("launcher");
    if (drawn) {
      const pictureAlone = shown.traits.floating && view.page === "conversation" && !shown.textOpen;
      if (this.#firstFrame.over || !pictureAlone) needed.push("chrome");
      if (layout.kind === "overlay") needed.push("overlay");
      if (name) needed.push(name);
    }
    views.need(needed);
    const complete = drawn && views.loaded.chrome !== undefined;
    if (complete && view.page === "conversation" && this.session.snapshot.state === "live") {
      if (view.canType) void views.load("transcript");
      void views.load("pages");
    }
    const stands = views.failed || (name ? views.loaded[name] : layout.kind === "stacked");
    return { complete, below: stands ? `${mode} ${layout.kind}` : "" };
  }

  /** The panel's parts, once they are there. What could not be loaded is replaced by an error. */
  #parts(model: PanelModel): PanelParts | null {
    const { panel } = this;
    const { loaded, failed, retry } = this.#views;
    const now = this.#surroundings.now;
    const { snapshot, context } = this.session;
    const parts = loaded.chrome?.panelParts({
      model,
      session: snapshot,
      context,
      status: this.#status.text,
      textOnly: this.mode === "text",
      touch: now.touch,
      wholeSentences: now.reducedMotion,
      panel,
      views: loaded,
    });
    if (!failed) return parts ?? null;
    return { ...parts, below: loadError(model.t, retry, model.traits.floating ? panel.minimise : null) };
  }

  #drawsLauncher({ traits }: Pick<PanelModel, "traits">): boolean {
    return traits.floating === true && !this.#launcher.external && this.session.context !== null;
  }

  #showAppearance({ variant, layout, lang }: PanelModel): void {
    if (!this.#root) return;
    const { viewport, systemDark } = this.#surroundings.now;
    applyAppearance(this, this.#root, this.renderRoot as HTMLElement, {
      variant,
      theme: this.theme,
      ui: this.#ui,
      systemDark,
      themeKnown: Boolean(this.session.context ?? this.theme ?? !this.#launcher.external),
      lang,
      heightPx: layout.fit === "phone" ? viewport.height : null,
    });
  }

  #showLauncher({ t, traits, view }: PanelModel): void {
    const { context, snapshot } = this.session;
    const running = snapshot.state === "live";
    this.#launcher.show({
      hidden: !traits.floating || this.opening.opened || this.opening.closing,
      expanded: this.opening.opened,
      ring: running ? view.ring : "idle",
      label: context?.avatar_name ? t(running ? "launcher_live" : "launcher") : null,
    });
  }

  /** How the picture is shown. Until the context is there, the launcher's own still stands for it. */
  #look({ transparent }: Pick<PanelModel, "transparent">): Omit<Picture, "context"> {
    return { transparent, paddings: this.#paddings, still: this.#launcher.still };
  }

  /**
   * Loads the context. A loader's launcher loads this module when the visitor reaches for it: then the offer is made
   * ahead of the click too. An element that is visible by itself needs its context to be drawn.
   */
  #loadContext(): void {
    this.#asked = true;
    const { external } = this.#launcher;
    void this.session.loadContext(!external || !this.traits.floating || this.opening.opened);
    if (external) void this.#prepare();
  }

  /** The visitor reaches for the launcher: offer, context and pictures are there when the click comes. */
  async #prepare(): Promise<void> {
    this.session.ensure().prepare();
    if ((await this.session.loadContext(false)) && this.isConnected)
      this.#picture.prepare(this.#look(this.#derive()));
  }
}
