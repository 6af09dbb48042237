import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { AvatarSession, AvatarSessionOptions } from "../../client/index.ts";
import type { UiConfig, Variant } from "../../protocol/embed-config.ts";
import { dress } from "../settings/appearance.ts";
import { FirstFrame } from "../stage/first-frame-controller.ts";
import { paddingAttributes, paddingsOf, type SetPaddings } from "../stage/framing.ts";
import { directionOf, wordsFor } from "../texts/language.ts";
import { Launcher } from "../launcher/launcher-controller.ts";
import { LateModules } from "./lazy-views.ts";
import { layoutOf, type Layout } from "./layout.ts";
import { PanelControls } from "./panel-controller.ts";
import { PanelFocus } from "./focus-controller.ts";
import { Presence } from "./open-controller.ts";
import { SessionHold } from "../session/session-controller.ts";
import { SettledStatus } from "./status-controller.ts";
import { modeOf, shell, type Mode, type ShellContext } from "./shell.ts";
import { adoptStyles } from "../styles/style-sheets.ts";
import panelCss from "../styles/panel.css?inline";
import tokensCss from "../styles/tokens.css?inline";
import type { Picture } from "../stage/stage-mount.ts";
import { SurroundingsWatch } from "../settings/surroundings-controller.ts";
import { viewOf, type View } from "./view.ts";
import { WindowPicture } from "../stage/picture-controller.ts";

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

  protected readonly hold: SessionHold;
  protected readonly presence: Presence;
  protected readonly controls: PanelControls;
  #root: ShadowRoot | null = null;
  #layout: Layout | null = null;
  #view: View | null = null;
  #drawsLauncher = false;
  #complete = false;
  #paddings: SetPaddings = {};
  #column = false;
  #asked = false;
  #mode: Mode = "page";
  #wasAtEnd = true;
  readonly #watch: SurroundingsWatch;
  readonly #firstFrame: FirstFrame;
  readonly #picture: WindowPicture;
  readonly #focus = new PanelFocus();
  readonly #launcher = new Launcher(
    () => {
      this.fromLauncher();
    },
    () => {
      if (this.contextId) void this.#makeReady();
    },
  );
  readonly #late = new LateModules((css) => {
    if (this.#root) adoptStyles(this.#root, css);
    this.requestUpdate();
  });
  readonly #status = new SettledStatus(() => {
    this.requestUpdate();
  });

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
    const draw = () => {
      this.requestUpdate();
    };
    this.#firstFrame = new FirstFrame(draw, this.patienceMs);
    this.#picture = new WindowPicture(this.hold, {
      changed: draw,
      firstFrame: () => {
        this.#firstFrame.handleFrame();
      },
    });
    this.presence = new Presence({
      shell: () => this.renderRoot.querySelector<HTMLElement>(".vv-shell"),
      launcherButton: () => this.#launcher.button,
      isModal: () => this.#layout?.fit === "phone",
      reducedMotion: () => this.#watch.now.reducedMotion,
      isComplete: () => this.#complete,
      focusMain: (shell) => {
        this.#focus.toMain(shell);
      },
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
      enter: () => this.enter(),
      close: () => {
        this.removeAttribute("open");
      },
      isRtl: () => directionOf(this) === "rtl",
      canType: () => this.#view?.canType === true && !this.#textIsOpen(),
      canClose: () => this.shownVariant === "bubble",
      captionsOn: () => this.#captionsOn(),
      textIsOpen: () => this.#textIsOpen(),
      textReady: () => this.#late.text.load(),
      focusField: () => {
        this.#focus.wantField();
      },
    });
    this.#watch = new SurroundingsWatch(this, () => {
      this.hold.current?.setReducedMotion(this.#watch.now.reducedMotion);
      this.requestUpdate();
    });
  }

  /** How long an open panel waits for the first frame before the rest of it is fetched, in ms. */
  protected get patienceMs(): number {
    return 400;
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
    this.#launcher.adopt(root);
    this.#drawsLauncher = !this.#launcher.button;
    return box;
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (!paddingAttributes.includes(name)) return;
    this.#paddings = paddingsOf(this);
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.start();
    this.requestUpdate();
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
    this.#focus.note(this.isConnected ? this.#root?.activeElement : null);
    this.#wasAtEnd = this.#late.text.value?.isAtEnd(this.renderRoot) ?? true;
    if (this.presence.opened) this.#firstFrame.wait();
  }

  protected override render(): TemplateResult {
    const bubble = this.shownVariant === "bubble";
    const context = this.#shellContext();
    const still = this.hold.context?.model_style.still ?? null;
    const launcher =
      bubble && this.#drawsLauncher && this.#root && this.hold.context
        ? this.#late.launcher.get()?.drawnLauncher({ t: context.t, still, place: context.place })
        : nothing;
    return html`${launcher}${this.#isShown(context.view) ? shell(context) : nothing}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (this.#drawsLauncher && this.#root) this.#launcher.adopt(this.#root);
    this.#dress();
    this.#picture.show(this.#look());
    this.presence.settle();
    this.#followControls();
    const moves = !this.#watch.now.reducedMotion && (this.presence.settled || this.shownVariant !== "bubble");
    const window = this.renderRoot.querySelector<HTMLElement>(".vv-panel>.vv-window");
    this.#picture.follow(window, `${this.#mode} ${this.#layout?.kind ?? ""}`, moves);
    this.#focus.follow(this.renderRoot, this.#root?.activeElement);
    if (this.#wasAtEnd) this.#late.text.value?.followEnd(this.renderRoot);
  }

  #followControls(): void {
    const came = !this.#complete && this.renderRoot.querySelector(".vv-top") !== null;
    if (!came) return;
    this.#complete = true;
    this.presence.handleControls();
  }

  /** The visitor reaches for the launcher: offer, context and pictures are there when the click comes. */
  async #makeReady(): Promise<void> {
    this.hold.session.prepare();
    if (await this.hold.loadContext(false)) this.#picture.prepare(this.#look());
  }

  /** How the picture is shown; until the context is there, the launcher's own still stands for it. */
  #look(): Omit<Picture, "context"> {
    return {
      transparent: this.#isTransparent(),
      paddings: this.#paddings,
      still: this.#launcher.button?.querySelector("img")?.src ?? null,
    };
  }

  /** The visitor has pressed the launcher. */
  protected abstract fromLauncher(): void;
  protected abstract enter(): Promise<void>;

  #dress(): void {
    const { context, conversation } = this.hold;
    const { viewport, systemDark } = this.#watch.now;
    const name = context?.avatar_name ?? "";
    const { t, lang } = wordsFor(this, this.ui, name, context?.name ?? "");
    if (this.#root)
      dress(this, this.#root, this.renderRoot as HTMLElement, {
        variant: this.shownVariant,
        theme: this.theme,
        ui: this.ui,
        systemDark,
        themeKnown: Boolean(context ?? this.theme ?? this.#drawsLauncher),
        lang,
        heightPx: this.#layout?.fit === "phone" ? viewport.height : null,
      });
    const running = conversation.state === "live";
    this.#launcher.show({
      hidden: this.shownVariant !== "bubble" || this.presence.opened || this.presence.closing,
      expanded: this.presence.opened,
      ring: running ? (this.#view?.ring ?? "idle") : "idle",
      label: name ? t(running ? "launcher_live" : "launcher") : null,
    });
  }

  #isShown({ page }: View): boolean {
    return this.shownVariant === "bubble"
      ? this.presence.used
      : this.hold.context !== null || page !== "start";
  }

  /** The panel's own parts: after the first frame, or at once where there is more to see than a picture to come. */
  #chrome(view: View, textOpen: boolean): ShellContext["chrome"] {
    const { chrome } = this.#late;
    const isPictureAlone = this.shownVariant === "bubble" && view.page === "conversation" && !textOpen;
    const due = this.#isShown(view) && (this.#firstFrame.over || !isPictureAlone);
    return due ? chrome.get() : chrome.value;
  }

  #isTransparent(): boolean {
    return this.transparent || this.hold.context?.stage.transparent === true;
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

  /** What the next view will need is fetched while the visitor reads this one. */
  #prefetch({ page, canType }: View): void {
    if (page !== "conversation" || this.hold.conversation.state !== "live" || !this.#complete) return;
    if (canType) void this.#late.text.load();
    void this.#late.pages.load();
  }

  /**
   * The module of a loader's launcher arrives when the visitor reaches for it: the context and the offer are made
   * ahead of the click. What stands in the page by itself needs its context to be drawn.
   */
  #loadAhead(): void {
    this.#asked = true;
    const visible = this.#drawsLauncher || this.shownVariant !== "bubble" || this.presence.opened;
    void this.hold.loadContext(visible);
    if (!this.#drawsLauncher) void this.#makeReady();
  }

  #tearDown(): void {
    this.presence.stop();
    this.#firstFrame.stop();
    this.#status.stop();
    this.#picture.destroy();
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
      transparent: this.#isTransparent(),
      inViewport: this.parentElement === document.body,
      picture: () => this.#picture.element,
      ringStart: this.#picture.ringStart,
      announcement: this.#status.text ? t(this.#status.text) : "",
      draft: this.controls.draft,
      changeDraft: this.controls.changeDraft,
      late: this.#late,
      chrome: this.#chrome(view, textOpen),
      onKey: this.controls.onKey,
      onCancel: this.controls.onCancel,
    };
  }
}
