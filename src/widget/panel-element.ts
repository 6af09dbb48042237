import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { AvatarSession, AvatarSessionOptions } from "../client/index.ts";
import type { UiConfig, Variant } from "../protocol/embed-config.ts";
import { focusMain } from "./focus.ts";
import { addFonts } from "./fonts.ts";
import { directionOf, wordsFor } from "./language.ts";
import { findLauncher, updateLauncher, type Launcher } from "./launcher.ts";
import { Later } from "./later.ts";
import { layoutOf, type Layout } from "./layout.ts";
import { PanelControls } from "./panel-controls.ts";
import { Presence } from "./presence.ts";
import { topCentre } from "./ring.ts";
import { SessionHold } from "./session-hold.ts";
import { SettledStatus } from "./settled-status.ts";
import { playResize, shapeOf, type WindowShape } from "./resize-motion.ts";
import { modeOf, shell, type Mode, type ShellContext } from "./shell.ts";
import { StageMount } from "./stage-mount.ts";
import { adoptStyles } from "./style-sheets.ts";
import panelCss from "./styles/panel.css?inline";
import tokensCss from "./styles/tokens.css?inline";
import { SurroundingsWatch } from "./surroundings.ts";
import { isDark, ownerRules } from "./theme.ts";
import { VideoSize } from "./video-size.ts";
import { viewOf, type View } from "./view.ts";

/**
 * What the visitor sees of the element: launcher, panel, layouts, motion. `VisavisAvatar` adds the contract with the
 * page.
 */
export abstract class PanelElement extends LitElement {
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

  declare contextId: string | null;
  declare relay: string | null;
  declare variant: string | null;
  declare placement: string | null;
  declare theme: string | null;
  declare mode: string | null;
  declare transparent: boolean;
  declare captions: string | null;

  protected readonly hold: SessionHold;
  protected readonly presence: Presence;
  protected readonly controls: PanelControls;
  #root: ShadowRoot | null = null;
  #launcher: Launcher | null = null;
  #mount: StageMount | null = null;
  #attached: HTMLVideoElement | null = null;
  #layout: Layout | null = null;
  #view: View | null = null;
  #hadFocus = false;
  #wantsField = false;
  #drawsLauncher = false;
  #column = false;
  #asked = false;
  #mode: Mode = "page";
  #under: string | null = null;
  #shape: WindowShape | null = null;
  #wasAtEnd = true;
  readonly #watch: SurroundingsWatch;
  readonly #videoSize = new VideoSize(() => this.hold.current);
  readonly #status = new SettledStatus(() => {
    this.requestUpdate();
  });
  readonly #text = this.#later(
    () => import("./text-view.ts"),
    ({ textCss }) => textCss,
  );
  readonly #pages = this.#later(
    () => import("./pages.ts"),
    ({ pagesCss }) => pagesCss,
  );
  readonly #drawn = this.#later(
    () => import("./drawn-launcher.ts"),
    ({ launcherCss }) => launcherCss,
  );
  readonly #sill = this.#later(
    () => import("./sill.ts"),
    ({ sillCss }) => sillCss,
  );

  constructor() {
    super();
    this.hold = new SessionHold({
      element: this,
      read: () => this.sessionOptions(),
      changed: () => {
        this.requestUpdate();
      },
      makeSession: (options) => this.makeSession(options),
    });
    this.presence = new Presence({
      shell: () => this.renderRoot.querySelector<HTMLElement>(".vv-shell"),
      launcherButton: () => this.#launcher?.button ?? null,
      isModal: () => this.#layout?.fit === "phone",
      reducedMotion: () => this.#watch.now.reducedMotion,
      draw: () => {
        this.requestUpdate();
        return this.updateComplete;
      },
    });
    this.controls = new PanelControls({
      hold: this.hold,
      changed: () => {
        this.requestUpdate();
      },
      close: () => {
        this.removeAttribute("open");
      },
      isRtl: () => directionOf(this) === "rtl",
      canType: () => this.#view?.canType === true && !this.#textIsOpen(),
      canClose: () => this.shownVariant === "bubble",
      captionsOn: () => this.#captionsOn(),
      textIsOpen: () => this.#textIsOpen(),
      textReady: () => this.#text.load(),
      focusField: () => {
        this.#wantsField = true;
      },
    });
    this.#watch = new SurroundingsWatch(this, () => {
      this.hold.current?.setReducedMotion(this.#watch.now.reducedMotion);
      this.requestUpdate();
    });
  }

  /** Where sessions come from. */
  protected abstract makeSession(options: AvatarSessionOptions): AvatarSession;
  /** What a session is made from: the element's attributes. */
  protected abstract sessionOptions(): AvatarSessionOptions;

  protected get ui(): UiConfig {
    return this.hold.context?.ui ?? {};
  }

  /** The variant that is shown: the attribute, else the owner's setting, else a floating window. */
  protected get shownVariant(): Variant {
    const asked = this.variant ?? this.ui.variant;
    return asked === "inline" || asked === "fullscreen" ? asked : "bubble";
  }

  /** Draws into a box of its own beside the loader's launcher, which stays as it is. */
  protected override createRenderRoot(): HTMLElement {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#root = root;
    adoptStyles(root, tokensCss, panelCss);
    const box = document.createElement("div");
    box.className = "vv";
    root.append(box);
    this.#drawsLauncher = !this.#adoptLauncher(findLauncher(root));
    return box;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.stop();
    // An element that is only moved in the page keeps its session.
    queueMicrotask(() => {
      if (!this.isConnected) this.#tearDown();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (this.contextId && !this.#asked) this.#loadAhead();
    this.#hadFocus = this.isConnected && this.#root?.activeElement?.closest(".vv-shell") != null;
    this.#wasAtEnd = this.#text.value?.isAtEnd(this.renderRoot) ?? true;
    if (this.presence.opened || (this.shownVariant !== "bubble" && this.hold.context)) addFonts();
  }

  protected override render(): TemplateResult {
    const bubble = this.shownVariant === "bubble";
    const context = this.#shellContext();
    const still = this.hold.context?.model_style.still ?? null;
    const launcher =
      bubble && this.#drawsLauncher && this.#root && this.hold.context
        ? this.#drawn.get()?.drawnLauncher({ t: context.t, still, place: context.place })
        : nothing;
    const shown = bubble ? this.presence.used : this.hold.context || context.view.page !== "start";
    return html`${launcher}${shown ? shell(context) : nothing}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (this.#drawsLauncher && this.#root) this.#adoptLauncher(findLauncher(this.#root));
    this.#dress();
    this.#showPicture();
    this.presence.settle();
    this.#resizeWindow();
    this.#followFocus();
    if (this.#wasAtEnd) this.#text.value?.followEnd(this.renderRoot);
  }

  /** When another view stands under the window, the window grows or shrinks to its new shape. */
  #resizeWindow(): void {
    const window = this.renderRoot.querySelector<HTMLElement>(".vv-panel>.vv-window");
    const under = window?.nextElementSibling ? this.#mode : null;
    const key = window && `${under ?? ""} ${this.#layout?.kind ?? ""}`;
    if (key === this.#under) return;
    const first = this.#under === null || (this.shownVariant === "bubble" && !this.presence.settled);
    this.#under = key;
    if (window && this.#shape && !first && !this.#watch.now.reducedMotion) playResize(window, this.#shape);
  }

  /** After a view has replaced what had the focus, its main action has it. */
  #followFocus(): void {
    const field = this.#wantsField ? this.renderRoot.querySelector("textarea") : null;
    if (field) {
      this.#wantsField = false;
      field.focus({ preventScroll: true });
      field.setSelectionRange(field.value.length, field.value.length);
    } else if (this.#hadFocus && !this.#root?.activeElement) focusMain(this.renderRoot);
  }

  #adoptLauncher(launcher: Launcher | null): boolean {
    if (launcher && launcher.button !== this.#launcher?.button) {
      launcher.button.addEventListener("click", this.#onLauncher);
      for (const intent of ["pointerenter", "focus"])
        launcher.button.addEventListener(intent, this.#onIntent, { once: true });
      this.#launcher = launcher;
    }
    return launcher !== null;
  }

  readonly #onLauncher = (): void => {
    void this.fromLauncher();
  };

  readonly #onIntent = (): void => {
    if (this.contextId) this.hold.session.prepare();
  };

  /** The visitor has pressed the launcher. */
  protected abstract fromLauncher(): Promise<void>;

  /** Host and box take on theme, language and the launcher's state. */
  #dress(): void {
    const { ui } = this;
    const variant = this.shownVariant;
    // Until the context is known, the loader's mark stands: it has the owner's theme from its record.
    if (this.hold.context ?? this.theme ?? this.#drawsLauncher)
      this.toggleAttribute("data-dark", isDark(this.theme, ui.theme, this.#watch.now.systemDark));
    this.setAttribute("data-variant", variant);
    const box = this.renderRoot as HTMLElement;
    box.dir = directionOf(this);
    const name = this.hold.context?.avatar_name ?? "";
    const { t, lang } = wordsFor(this, ui, name, this.hold.context?.name ?? "");
    box.lang = lang;
    const rules = ownerRules(ui);
    if (this.#root && rules) adoptStyles(this.#root, rules);
    if (this.#layout?.fit === "phone")
      box.style.setProperty("--vv-height", `${this.#watch.now.viewport.height}px`);
    if (!this.#launcher) return;
    const shown = variant === "bubble" && !this.presence.opened && !this.presence.closing;
    const running = this.hold.conversation.state === "live";
    updateLauncher(
      this.#launcher,
      { hidden: !shown, expanded: this.presence.opened },
      running ? (this.#view?.ring ?? "idle") : "idle",
      name ? t(running ? "launcher_live" : "launcher") : null,
    );
  }

  #showPicture(): void {
    const still =
      this.hold.context?.model_style.still ?? this.#launcher?.button.querySelector("img")?.src ?? null;
    const transparent = this.transparent || this.hold.context?.stage.transparent === true;
    this.#mount?.show({ context: this.hold.context, transparent, still });
    const { state } = this.hold.conversation;
    const over = state === "ended" || state === "error" || state === "idle";
    const video = over ? null : (this.hold.current?.mediaElement ?? null);
    if (video === this.#attached) return;
    this.#attached = video;
    if (video) this.#mount?.attach(video);
    else this.#mount?.detach();
  }

  /** The window's picture, made when the window is first drawn: nothing is fetched for it before. */
  #picture(): HTMLElement {
    this.#mount ??= new StageMount((frame) => {
      this.#videoSize.set(this.hold.context, frame);
      this.#shape = shapeOf(this.#mount?.element.parentElement ?? null);
      this.requestUpdate();
    });
    return this.#mount.element;
  }

  #captionsOn(): boolean {
    return (
      this.controls.captions ??
      (this.captions === null ? this.ui.captions : this.captions !== "false") ??
      true
    );
  }

  #textIsOpen(): boolean {
    return this.mode === "text" || (this.controls.textOpen ?? this.#column);
  }

  #ringStart(): number {
    const view = this.#mount?.element;
    if (!view?.offsetWidth) return 0;
    const radius = parseFloat(getComputedStyle(view).borderTopLeftRadius) + 5;
    return topCentre(view.offsetWidth + 10, view.offsetHeight + 10, radius);
  }

  /** What the next view will need is fetched while the visitor reads this one. */
  #prefetch({ page, canType }: View): void {
    if (page !== "conversation" || this.hold.conversation.state !== "live") return;
    if (canType) void this.#text.load();
    void this.#pages.load();
  }

  /**
   * The module of a loader's launcher arrives when the visitor reaches for it: the context and the offer are made
   * ahead of the click. What stands in the page by itself needs its context to be drawn.
   */
  #loadAhead(): void {
    this.#asked = true;
    const visible = this.#drawsLauncher || this.shownVariant !== "bubble" || this.presence.opened;
    void this.hold.loadContext(visible);
    if (!this.#drawsLauncher) this.hold.session.prepare();
  }

  #later<Module>(fetch: () => Promise<Module>, css: (module: Module) => string): Later<Module> {
    return new Later(fetch, (module) => {
      if (this.#root) adoptStyles(this.#root, css(module));
      this.requestUpdate();
    });
  }

  #tearDown(): void {
    this.presence.stop();
    this.#status.stop();
    this.#videoSize.stop();
    this.#mount?.destroy();
    this.#mount = null;
    this.#attached = null;
    this.#asked = false;
    this.hold.dispose();
  }

  #shellContext(): ShellContext {
    const { conversation, context } = this.hold;
    const { ui } = this;
    const name = context?.avatar_name ?? "";
    const { t } = wordsFor(this, ui, name, context?.name ?? "");
    const variant = this.shownVariant;
    const now = this.#watch.now;
    const textOnly = this.mode === "text";
    const textOpen = this.#textIsOpen();
    const layout = layoutOf(variant, now.viewport, now.box, textOpen, textOnly);
    this.#column = layout.columnOpen;
    this.#layout = layout;
    const suggestions = ui.suggestions ?? [];
    const view = viewOf(conversation, {
      starting: this.controls.starting,
      moreOpen: this.controls.moreOpen,
      captions: this.#captionsOn(),
      textInput: ui.text_input !== false,
      suggestions: suggestions.length > 0,
      beginOnPicture: variant !== "bubble",
    });
    this.#view = view;
    this.#mode = modeOf({ view, textOpen });
    this.#status.see(view);
    this.#prefetch(view);
    return {
      t,
      view,
      name,
      layout,
      variant,
      textOnly,
      conversation,
      suggestions,
      textOpen,
      actions: this.controls,
      owner: context?.name ?? "",
      captions: this.#captionsOn(),
      wholeSentences: now.reducedMotion,
      touch: now.touch,
      attempt: conversation.attempt,
      consentText: ui.consent_text ?? null,
      privacyUrl: ui.privacy_url ?? null,
      contactUrl: ui.contact_url ?? null,
      place: this.placement ?? ui.placement ?? "bottom-right",
      inViewport: this.parentElement === document.body,
      picture: () => this.#picture(),
      ringStart: this.#ringStart(),
      announcement: this.#status.text ? t(this.#status.text) : "",
      draft: this.controls.draft,
      changeDraft: this.controls.changeDraft,
      late: { text: () => this.#text.get(), pages: () => this.#pages.get(), sill: () => this.#sill.get() },
      onKey: this.controls.onKey,
      onCancel: this.controls.onCancel,
    };
  }
}
